// fetch, counted and answered from what was kept.

function patchFetch(win) {
  const RealRequest = win.Request;
  const RealResponse = win.Response;
  const cloneResponse = RealResponse.prototype.clone;
  const readText = RealResponse.prototype.text;
  const readBuffer = RealResponse.prototype.arrayBuffer;

  async function keepResponse(key, response, wroteBefore) {
    const type = response.headers.get("content-type");
    if (/event-stream/i.test(type ?? "") || !["basic", "cors", "default"].includes(response.type)) return;
    if (Number(response.headers.get("content-length") ?? 0) > MAX_KEPT_CHARACTERS) return;
    const copy = cloneResponse.call(response);
    const binary = !isText(type);
    const body = binary ? toBase64(await readBuffer.call(copy)) : await readText.call(copy);
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
      noteCall(method, url, key, calling);
      return counted((async () => {
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
      })());
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
