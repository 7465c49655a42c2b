// What would leave the page or wait for a person: windows, printing, permissions. It is told, and bounded.

function watchWindows(win) {
  replace(win, "open", (original) => ({
    open(url, ...rest) {
      try {
        if (url) report({ opened: new URL(url, win.document.baseURI).href });
      } catch {}
      return original.call(win, url, ...rest); // the window is closed from outside
    },
  }).open);
  for (const name of ["print", "close"]) {
    replace(win, name, () => ({ [name]() { report({ did: name }); } })[name]);
  }
  const asking = [
    [win.Geolocation?.prototype, "getCurrentPosition"], [win.Geolocation?.prototype, "watchPosition"],
    [win.Notification, "requestPermission"], [win.MediaDevices?.prototype, "getUserMedia"],
    [win.MediaDevices?.prototype, "getDisplayMedia"], [win.Clipboard?.prototype, "readText"],
    [win.Clipboard?.prototype, "read"], [win, "showOpenFilePicker"], [win, "showSaveFilePicker"],
    [win, "showDirectoryPicker"],
  ];
  for (const [owner, name] of asking) {
    replace(owner, name, (original) => ({
      [name](...args) {
        report({ did: "permission" });
        return original.apply(this, args);
      },
    })[name]);
  }
}

const LONGEST_REFRESH_S = 86_400;

/** A document that replaces itself after a while does so in virtual time. */
function noteRefresh() {
  const content = document.querySelector("meta[http-equiv=refresh i]")?.getAttribute("content");
  const match = /^\s*(\d+(?:\.\d*)?)\s*(?:[;,]\s*(?:url\s*=\s*)?['"]?([^'"]*)['"]?)?/i.exec(content ?? "");
  if (!match || Number(match[1]) > LONGEST_REFRESH_S) return;
  const url = new URL(match[2] ?? "", document.baseURI).href;
  const wait = Number(match[1]) * 1000;
  if (url === location.href && wait <= LONGEST_WAIT_MS) return; // it would never come to rest
  clock.add(window, () => location.replace(url), wait, () => [], false);
}
