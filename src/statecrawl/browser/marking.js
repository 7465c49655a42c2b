// Marks words in a page without changing it: highlights are no part of the DOM. Returns how many.

(wanted) => {
  const NAME = "statecrawl-found";
  const MAX_MARKS = 1000;
  const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
  const words = new Set(wanted);
  const known = (word) => word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().normalize("NFKC");
  const ranges = [];
  const read = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node && ranges.length < MAX_MARKS; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.shadowRoot) read(node.shadowRoot);
        continue;
      }
      if (node.parentElement && !node.parentElement.checkVisibility()) continue;
      for (const { 0: word, index } of node.data.matchAll(WORD)) {
        if (!words.has(known(word))) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        ranges.push(range);
      }
    }
  };
  read(document.body);
  const style = new CSSStyleSheet();
  style.replaceSync(`::highlight(${NAME}) { background: #ffe14d; color: #000; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  CSS.highlights.set(NAME, new Highlight(...ranges));
  const element = ranges.length ? ranges[0].startContainer.parentElement : null;
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  return ranges.length;
}
