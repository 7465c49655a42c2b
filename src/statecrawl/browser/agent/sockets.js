// Connections that stay open: waited for until they have said what they say at once.

const QUIET_MS = 120; // so long nothing is said, or twice as long as it took to connect
const MOST_MS = 1000; // so long anybody listens after a connection was opened or used, and for an answer

function watchSockets(win) {
  for (const name of ["WebSocket", "EventSource"]) {
    const Real = win[name];
    if (!Real) continue;
    const proxy = new Proxy(Real, {
      construct(target, args, newTarget) {
        const socket = Reflect.construct(target, args, newTarget === proxy ? target : newTarget);
        listenTo(socket);
        if (SETTINGS.archived && name === "EventSource") realm.listen.call(socket, "error", hideEnd);
        return socket;
      },
    });
    originals.set(proxy, Real);
    Object.defineProperty(Real.prototype, "constructor", { value: proxy, writable: true, configurable: true });
    Object.defineProperty(win, name, { value: proxy, writable: true, configurable: true });
  }
  replace(win.WebSocket?.prototype, "send", (original) => ({
    send(data) {
      reminders.get(this)?.();
      return original.call(this, data);
    },
  }).send);
}

/** What an archive holds of an event stream ends; when it was recorded it went on. */
function hideEnd(event) {
  const { readyState, CLOSED } = event.target;
  if (readyState !== CLOSED) event.stopImmediatePropagation();
}

const reminders = new WeakMap(); // socket -> begins to listen for an answer

/** Count a connection as outstanding until it has been quiet for a moment. */
function listenTo(socket) {
  const since = realm.now();
  let timer = null;
  let until = 0;
  let quiet = QUIET_MS;
  let isAsked = false; // and has not answered yet
  let isMute = false; // it did not answer
  const stop = () => {
    if (timer === null) return;
    realm.clearTimeout(timer);
    timer = null;
    end();
  };
  const begun = (wait) => {
    if (timer === null) begin();
    else realm.clearTimeout(timer);
    timer = realm.setTimeout(() => {
      isMute ||= isAsked;
      stop();
    }, wait);
  };
  const anew = () => {
    until = realm.now() + MOST_MS;
    begun(isAsked && !isMute ? MOST_MS : quiet);
  };
  const opened = () => {
    quiet = Math.min(MOST_MS, Math.max(QUIET_MS, 2 * (realm.now() - since)));
    anew();
  };
  const heard = () => {
    activity += 1;
    isAsked = false;
    if (timer !== null && realm.now() < until) begun(quiet);
  };
  reminders.set(socket, () => {
    isAsked = true;
    anew();
  });
  begun(SETTINGS.loadMs); // to connect
  realm.listen.call(socket, "open", opened);
  realm.listen.call(socket, "message", heard);
  for (const kind of ["close", "error"]) realm.listen.call(socket, kind, stop);
}
