// Workers: what they are given to do is outstanding until they answer, for a moment.

const ANSWER_MS = 2000; // so long a worker may take; one that took longer is not waited for again

const silent = new WeakSet();
const answering = new WeakMap(); // worker -> ends the waiting for it

function watchWorkers(win) {
  const prototype = win.Worker?.prototype;
  replace(prototype, "postMessage", (original) => ({
    postMessage(...args) {
      awaitAnswer(this);
      return original.apply(this, args);
    },
  }).postMessage);
  replace(prototype, "terminate", (original) => ({
    terminate() {
      answering.get(this)?.();
      return original.call(this);
    },
  }).terminate);
}

/** Count a worker as outstanding until it says something. */
function awaitAnswer(worker) {
  if (silent.has(worker) || answering.get(worker)) return;
  if (!answering.has(worker)) {
    for (const kind of ["message", "messageerror", "error"]) {
      realm.listen.call(worker, kind, () => {
        activity += 1;
        answering.get(worker)?.();
      });
    }
  }
  begin();
  const timer = realm.setTimeout(() => {
    silent.add(worker);
    answering.get(worker)?.();
  }, ANSWER_MS);
  answering.set(worker, () => {
    answering.set(worker, null);
    realm.clearTimeout(timer);
    end();
  });
}
