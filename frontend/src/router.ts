// Where in the page one is: everything that can be looked at has an address after the #.

import { useEffect, useState } from "preact/hooks";

export interface Place {
  view: string;
  arguments: string[];
  parameters: URLSearchParams;
}

export function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...rest] = path.split("/").map(decoded);
  return { view: view || "graph", arguments: rest, parameters: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function addressOf(view: string, ...rest: (string | number)[]): string {
  return `#/${[view, ...rest].map((part) => encodeURIComponent(part)).join("/")}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** Change some parameters of the address in place; an empty one goes. */
export function setParameters(place: Place, changes: Record<string, string>): void {
  const parameters = new URLSearchParams(place.parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const query = parameters.toString();
  const path = addressOf(place.view, ...place.arguments);
  history.replaceState(null, "", query ? `${path}?${query}` : path);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = () => setHash(location.hash);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return readPlace(hash);
}
