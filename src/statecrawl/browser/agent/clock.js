// Virtual time: timers run ahead and in order, the clock starts at the same instant each time.

const LONGEST_WAIT_MS = 5000; // a longer timer is an event of its own
const FRAME_MS = 16;
const MAX_RUNS = 60; // of one repeating timer in one settling
const MAX_TIMER_RUNS = 1000; // of all timers in one settling

const clock = {
  now: 0,
  reads: 0,
  timers: new Map(),
  lastId: 0,
  runs: new Map(), // of each callback in this settling
  totalRuns: 0,
  horizon: 0,
  beforeRepeat: null, // told before and after a repeating timer runs, and when it never ends
  afterRepeat: null,
  onFrozen: null,

  /** Milliseconds since the start; reading takes time, or a loop that waits would never end. */
  read() {
    this.reads += 1;
    return this.now + this.reads * 0.005;
  },

  add(win, callback, delay, args, repeats, isFrame = false) {
    const id = ++this.lastId;
    const wait = Math.max(0, Number(delay) || 0);
    const due = isFrame ? (Math.floor(this.now / FRAME_MS) + 1) * FRAME_MS : this.now + wait;
    this.timers.set(id, { id, win, callback, wait, due, args, repeats, isFrame, frozen: false });
    activity += 1;
    return id;
  },

  remove(id) {
    this.timers.delete(Number(id));
  },

  /** Give every timer a new allowance: a user has done something. */
  begin() {
    this.runs.clear();
    this.totalRuns = 0;
    this.horizon = this.now + LONGEST_WAIT_MS;
  },

  /** Run the next timer that is due by `limit`; tell whether there was one. */
  runNext(limit) {
    let next = null;
    for (const timer of this.timers.values()) {
      if (timer.frozen || timer.wait > LONGEST_WAIT_MS || timer.due > limit) continue;
      if (!next || timer.due < next.due || (timer.due === next.due && timer.id < next.id)) {
        next = timer;
      }
    }
    if (!next) return false;
    const key = keyOf(next);
    const runs = this.runs.get(key) ?? 0;
    const repeats = next.repeats || runs >= 3;
    if (
      (repeats && (runs >= MAX_RUNS || next.due > this.horizon)) ||
      this.totalRuns >= MAX_TIMER_RUNS
    ) {
      next.frozen = true;
      this.onFrozen(key);
      return true;
    }
    this.runs.set(key, runs + 1);
    this.totalRuns += 1;
    this.now = Math.max(this.now, next.due);
    this.run(next, repeats ? key : "");
    return true;
  },

  run(timer, repeating) {
    if (timer.repeats) timer.due = this.now + Math.max(1, timer.wait);
    else this.timers.delete(timer.id);
    if (repeating) this.beforeRepeat();
    try {
      if (typeof timer.callback === "function") timer.callback.apply(timer.win, timer.args());
      else timer.win.eval(String(timer.callback));
    } catch (error) {
      timer.win.reportError(error);
    }
    if (repeating) this.afterRepeat(repeating);
    activity += 1;
  },

  /** The timers that wait longer than anybody looks on. */
  longOnes() {
    return [...this.timers.values()].filter((timer) => timer.wait > LONGEST_WAIT_MS);
  },
};

/** What makes two timers the same: their code and their period. */
function keyOf({ callback, wait }, period = wait) {
  const source = typeof callback === "function" ? realm.toString.call(callback) : callback;
  return `${period} ${String(source).slice(0, 500)}`;
}

/** About how long a timer waits: until midnight, or until a session ends, is never the same twice. */
function aboutHowLong(timer) {
  return Number(timer.wait.toPrecision(1));
}

function patchClock(win) {
  const started = SETTINGS.clock;
  for (const [name, repeats] of [["setTimeout", false], ["setInterval", true]]) {
    replace(win, name, () => ({
      [name](callback, delay = 0, ...args) {
        return clock.add(win, callback, delay, () => args, repeats);
      },
    })[name]);
  }
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) {
    replace(win, name, () => ({ [name](id) { clock.remove(id); } })[name]);
  }
  replace(win, "requestAnimationFrame", () => ({
    requestAnimationFrame(callback) {
      return clock.add(win, callback, FRAME_MS, () => [clock.now], false, true);
    },
  }).requestAnimationFrame);
  replace(win, "requestIdleCallback", () => ({
    requestIdleCallback(callback) {
      const deadline = { didTimeout: false, timeRemaining: () => 50 };
      return clock.add(win, callback, 1, () => [deadline], false);
    },
  }).requestIdleCallback);
  if (started === null) return;
  const RealDate = win.Date;
  replace(RealDate, "now", () => ({ now: () => Math.floor(started + clock.read()) }).now);
  const proxy = new Proxy(RealDate, {
    construct(target, args, newTarget) {
      const given = args.length ? args : [Math.floor(started + clock.read())];
      return Reflect.construct(target, given, newTarget === proxy ? target : newTarget);
    },
    apply: () => new RealDate(Math.floor(started + clock.read())).toString(),
  });
  originals.set(proxy, RealDate);
  Object.defineProperty(RealDate.prototype, "constructor", {
    value: proxy, writable: true, configurable: true,
  });
  Object.defineProperty(win, "Date", { value: proxy, writable: true, configurable: true });
  replace(win.Performance.prototype, "now", () => ({ now: () => clock.read() }).now);
  replaceAccessor(win.Performance.prototype, "timeOrigin", "get", () => () => started);
}

// Chance: seeded, and the same for every document.

let chance = 0;

function random() {
  chance = (chance + 0x6d2b79f5) | 0;
  let t = Math.imul(chance ^ (chance >>> 15), 1 | chance);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

function patchChance(win) {
  if (SETTINGS.seed === null) return;
  chance = SETTINGS.seed;
  replace(win.Math, "random", () => ({ random }).random);
  const crypto = win.Crypto?.prototype;
  replace(crypto, "getRandomValues", () => ({
    getRandomValues(array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 256;
      return array;
    },
  }).getRandomValues);
  replace(crypto, "randomUUID", () => ({
    randomUUID() {
      return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
        (digit ^ ((random() * 16) >> (digit / 4))).toString(16));
    },
  }).randomUUID);
}
