// Put into every page before its own scripts: tells when all that was asked for has come,
// and what a visitor sees. Knows nothing of any application.
(() => {
  let pending = 0;
  const watch = { calls: 0 };
  const later = setTimeout.bind(window);
  const done = () => later(() => { pending--; });
  const follow = (promise) => {
    pending++;
    promise.then(done, done);
    return promise;
  };

  const { fetch } = window;
  window.fetch = (...given) => {
    watch.calls++;
    return follow(fetch(...given));
  };
  for (const name of ["json", "text"]) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return follow(read.call(this)); };
  }
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...given) {
    watch.calls++;
    pending++;
    this.addEventListener("loadend", done);
    return send.apply(this, given);
  };

  // What repeats itself slowly is a clock, which nobody waits for.
  const timers = new Set();
  const { setInterval, clearTimeout } = window;
  window.setTimeout = (call, ms) => {
    const timer = later(() => {
      timers.delete(timer);
      call();
    }, ms);
    timers.add(timer);
    return timer;
  };
  window.setInterval = (call, ms) => {
    const timer = setInterval(call, ms);
    if (ms < 1000) {
      timers.add(timer);
    }
    return timer;
  };
  window.clearTimeout = window.clearInterval = (timer) => {
    timers.delete(timer);
    clearTimeout(timer);
  };

  const turn = () => new Promise((resolve) => { later(resolve); });
  watch.settle = async () => {
    do {
      await turn();
    } while (pending || timers.size);
    return watch.calls;
  };

  const find = (event) => document.querySelector(`[title=${JSON.stringify(event)}]`);
  // Clicks without a pause, and returns which of the controls were still there.
  watch.click = async (...events) => {
    const clicked = [];
    for (const event of events) {
      const control = find(event);
      if (control) {
        control.click();
        clicked.push(event);
      }
    }
    await watch.settle();
    return clicked;
  };

  // Where a visitor would click, unless something else is in the way.
  watch.locate = (event) => {
    const control = find(event);
    control?.scrollIntoView({ block: "center" });
    const box = control?.getClientRects()[0];
    const x = box?.x + box?.width / 2;
    const y = box?.y + box?.height / 2;
    const leaves = control?.matches("a:not([href^='#'])");
    return box && control.contains(document.elementFromPoint(x, y))
      ? { x, y, leaves, calls: watch.calls }
      : null;
  };

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0;
  const looksClickable = (element) => element.matches("a, button, select, [onclick], [role=button]")
    || getComputedStyle(element).cursor === "pointer";
  watch.look = (regions, noise) => {
    const seen = [...document.body.querySelectorAll("*")].filter(isVisible);
    const body = document.body.cloneNode(true);
    body.querySelectorAll("script, style").forEach((element) => element.remove());
    if (noise) {
      body.querySelectorAll(noise).forEach((element) => element.remove());
      body.querySelectorAll("[id]").forEach((element) => element.removeAttribute("id"));
    }
    return {
      body: body.outerHTML,
      events: seen.filter((element) => element.title).map((element) => element.title),
      strays: seen
        .filter((element) => !element.closest("[title]") && looksClickable(element))
        .map((element) => element.outerHTML),
      regions: regions.map((selector) => document.querySelector(selector)?.outerHTML ?? null),
    };
  };
  window.watch = watch;
})();
