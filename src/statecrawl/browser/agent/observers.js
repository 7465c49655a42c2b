// Observers of layout: what they are told of what they observe belongs to the page.

const NOTICE_MS = 2000; // so long a first notice is waited for; a page must be drawn for it

function watchObservers(win) {
  replace(win.ResizeObserver?.prototype, "observe", (original) => ({
    observe(...args) {
      needsFrames = true;
      return original.apply(this, args);
    },
  }).observe);
  const Real = win.IntersectionObserver;
  if (!Real) return;
  const awaited = new WeakMap(); // observer -> the timer that ends the waiting for its notice
  const noticed = (observer) => {
    if (!awaited.has(observer)) return;
    realm.clearTimeout(awaited.get(observer));
    awaited.delete(observer);
    end();
  };
  const proxy = new Proxy(Real, {
    construct(target, [callback, ...rest], newTarget) {
      const told = typeof callback !== "function" ? callback : function (entries, observer) {
        noticed(observer);
        return callback.call(this, entries, observer);
      };
      return Reflect.construct(target, [told, ...rest], newTarget === proxy ? target : newTarget);
    },
  });
  originals.set(proxy, Real);
  Object.defineProperty(Real.prototype, "constructor", { value: proxy, writable: true, configurable: true });
  Object.defineProperty(win, "IntersectionObserver", { value: proxy, writable: true, configurable: true });
  replace(Real.prototype, "observe", (original) => ({
    observe(...args) {
      const given = original.apply(this, args);
      needsFrames = true;
      if (isHidden()) report({ frames: true });
      if (!awaited.has(this)) {
        begin();
        awaited.set(this, realm.setTimeout(() => noticed(this), NOTICE_MS));
      }
      return given;
    },
  }).observe);
  replace(Real.prototype, "disconnect", (original) => ({
    disconnect() {
      noticed(this);
      return original.call(this);
    },
  }).disconnect);
}
