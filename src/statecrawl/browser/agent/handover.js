// A person takes the page over: from now on its time is that of the person.

const HANDOVER_TICK_MS = 16;

let isHandedOver = false;

function handOver() {
  if (isHandedOver) return;
  isHandedOver = true;
  let then = realm.now();
  const tick = () => {
    const passed = realm.now() - then;
    then += passed;
    const limit = clock.now + passed;
    clock.begin();
    for (const timer of clock.timers.values()) timer.frozen = false;
    while (clock.runNext(limit));
    clock.now = Math.max(clock.now, limit);
    realm.setTimeout(tick, HANDOVER_TICK_MS);
  };
  tick();
}
