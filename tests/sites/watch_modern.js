// Put into every page after watch.js: keeps long timers, and tells when streams and observers have
// spoken for the first time. Knows nothing of any application.
(() => {
  let waiting = 0;
  const wait = () => {
    let isOver = false;
    waiting++;
    return () => {
      if (!isOver) {
        isOver = true;
        waiting--;
      }
    };
  };

  const long = [];
  const { setTimeout } = window;
  window.setTimeout = (call, ms) => {
    if (ms > 5000) {
      long.push({ call, ms });
      return 0;
    }
    return setTimeout(call, ms);
  };
  watch.longTimers = () => long.map(({ ms }) => `timeout ${ms} ms`);
  watch.runLongTimer = (name) => {
    const [timer] = long.splice(watch.longTimers().indexOf(name), 1);
    timer.call();
  };

  for (const name of ["WebSocket", "EventSource"]) {
    const Stream = window[name];
    window[name] = class extends Stream {
      constructor(...given) {
        super(...given);
        const over = wait();
        this.addEventListener("message", () => queueMicrotask(over), { once: true });
      }
    };
  }
  const Observer = window.IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(call, ...given) {
      const over = wait();
      super((...seen) => {
        call(...seen);
        over();
      }, ...given);
    }
  };
  watch.settleAll = async () => {
    do {
      await watch.settle();
    } while (waiting);
    return watch.calls;
  };

  const all = (root) => [...root.querySelectorAll("*")]
    .flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
  // What can be done: controls by their titles, forms to be filled, fields with what is in them.
  watch.offers = () => [document, ...Array.from(window.frames, (frame) => frame.document)]
    .flatMap(all)
    .filter((element) => element.title && element.checkVisibility())
    .map(({ localName, title, value }) => ({ localName, title, value }));
})();
