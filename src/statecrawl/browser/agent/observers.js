// Observers of layout: what they are told of what they observe belongs to the page.

const NOTICE_FRAMES = 3; // a first notice comes after one frame is drawn, if it ever comes
const NOTICE_MS = 5000; // so long frames are waited for

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
  const expect = (observer) => {
    begin();
    awaited.set(observer, realm.setTimeout(() => noticed(observer), NOTICE_MS));
    let frames = NOTICE_FRAMES;
    const drawn = () => {
      frames -= 1;
      if (!frames) noticed(observer);
      else if (awaited.has(observer)) realm.requestAnimationFrame(drawn);
    };
    realm.requestAnimationFrame(drawn);
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
      if (!awaited.has(this)) expect(this);
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
