// fetch, counted and answered from what was kept.

const STREAM_MS = 1000; // so long the next part of an answer is waited for

/** Wait for something that is outstanding; after a while it does not count as that any more, for it may never come. */
async function awaited(promise) {
  let timer = realm.setTimeout(() => {
    timer = null;
    end();
  }, STREAM_MS);
  try {
    return await promise;
  } finally {
    if (timer === null) begin();
    else realm.clearTimeout(timer);
  }
}

function patchFetch(win) {
  const RealRequest = win.Request;
  const RealResponse = win.Response;
  const cloneResponse = RealResponse.prototype.clone;
  const { getReader } = win.ReadableStream.prototype;
  const { read } = win.ReadableStreamDefaultReader.prototype;

  /** The bytes of a response, part by part: it may be a stream; null when there are too many. */
  async function bytesIn(response) {
    const parts = [];
    let size = 0;
    const reader = response.body && getReader.call(response.body);
    while (reader && size <= MAX_KEPT_CHARACTERS) {
      const { value, done } = await awaited(read.call(reader));
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    if (size > MAX_KEPT_CHARACTERS) return null;
    const all = new Uint8Array(size);
    for (let at = 0; parts.length; at += parts.shift().length) all.set(parts[0], at);
    return all;
  }

  async function keepResponse(key, response, wroteBefore) {
    const type = response.headers.get("content-type");
    if (/event-stream/i.test(type ?? "") || !["basic", "cors", "default"].includes(response.type)) return;
    if (Number(response.headers.get("content-length") ?? 0) > MAX_KEPT_CHARACTERS) return;
    const bytes = await bytesIn(cloneResponse.call(response));
    if (!bytes) return;
    const binary = !isText(type);
    const body = binary ? toBase64(bytes.buffer) : new win.TextDecoder().decode(bytes);
    keep(key, {
      status: response.status, statusText: response.statusText,
      headers: [...response.headers], url: response.url, binary, body,
    }, wroteBefore);
  }

  function toResponse(answer) {
    const empty = [101, 204, 205, 304].includes(answer.status);
    const response = new RealResponse(empty ? null : bytesOf(answer), answer);
    Object.defineProperty(response, "url", { value: answer.url, configurable: true });
    return dated(response);
  }

  function dated(response) {
    const headers = new win.Headers(response.headers);
    if (!headers.has("date")) return response;
    headers.set("date", headerValue("date", headers.get("date")));
    Object.defineProperty(response, "headers", { value: headers, configurable: true });
    return response;
  }

  replace(win, "fetch", (original) => ({
    fetch(input, init) {
      let request;
      try {
        request = new RealRequest(input, init);
      } catch (error) {
        return original.call(win, input, init);
      }
      const { method, url } = request;
      const body = init?.body ?? (input instanceof RealRequest && input.body ? {} : null);
      const headers = new win.Headers(init?.headers ?? (input instanceof RealRequest ? input.headers : undefined));
      const key = mayKeep(method) && url.startsWith("http") ? requestKey(method, url, headers, body) : null;
      if (isWrite(method)) noteWrite();
      const calling = { isCached: false };
      const done = requested(method, url);
      if (isEndless(method, url)) return original.call(win, input, init);
      noteCall(method, url, key, calling);
      const answered = (async () => {
        const kept = key && (await keptAnswer(key));
        if (kept) {
          calling.isCached = true;
          noteAnswer(method, url, kept.status);
          return toResponse(kept);
        }
        const wroteBefore = wroteCount;
        let response;
        try {
          response = await original.call(win, input, init);
        } catch (error) {
          noteFailure(method, url, error);
          throw error;
        }
        noteAnswer(method, url, response.status);
        if (key) counted(keepResponse(key, response, wroteBefore));
        return dated(response);
      })();
      answered.then(done, done);
      return answered;
    },
  }).fetch);
  for (const name of ["json", "text", "arrayBuffer", "blob", "formData", "bytes"]) {
    replace(RealResponse.prototype, name, (original) => ({
      [name]() {
        return counted(original.call(this));
      },
    })[name]);
  }
}
