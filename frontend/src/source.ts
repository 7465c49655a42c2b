// Where the page gets its data: from the server that it came from, or from files beside it.

import type {
  Comparison, CrawlDocument, Found, MergingDocument, Progress, StateDocument,
} from "./documents";

export interface Source {
  /** The crawl if it is newer than the version known, and its version. */
  crawl(known: number): Promise<[number, CrawlDocument] | null>;
  state(id: string): Promise<StateDocument>;
  picture(id: string): Promise<string>;
  thumbnail(id: string): Promise<string>;
  /** What differs from an older crawl, and a small picture of one of its states. */
  comparison(): Promise<Comparison>;
  thumbnailBefore(id: string): Promise<string>;
  merging(): Promise<MergingDocument>;
  /** What can be done only where there is a server. */
  live: Live | null;
}

export interface Live {
  progress(): Promise<Progress>;
  ask(wish: Progress["wish"]): Promise<void>;
  replay(id: string, words: string[]): WebSocket;
  search(query: string): Promise<Found>;
}

class Server implements Source, Live {
  live = this;

  async crawl(known: number): Promise<[number, CrawlDocument] | null> {
    const answer = await this.get(`api/crawl?known=${known}`);
    if (answer.status === 204) return null;
    return [Number(answer.headers.get("X-Version")), await answer.json()];
  }

  async state(id: string): Promise<StateDocument> {
    return (await this.get(`api/states/${encodeURIComponent(id)}`)).json();
  }

  async picture(id: string): Promise<string> {
    return `api/pictures/${encodeURIComponent(id)}`;
  }

  async thumbnail(id: string): Promise<string> {
    return `api/thumbnails/${encodeURIComponent(id)}`;
  }

  async comparison(): Promise<Comparison> {
    return (await this.get("api/comparison")).json();
  }

  async thumbnailBefore(id: string): Promise<string> {
    return `api/before/thumbnails/${encodeURIComponent(id)}`;
  }

  async merging(): Promise<MergingDocument> {
    return (await this.get("api/merging")).json();
  }

  async progress(): Promise<Progress> {
    return (await this.get("api/progress")).json();
  }

  async ask(wish: Progress["wish"]): Promise<void> {
    await this.get(`api/wish/${wish}`, "POST");
  }

  replay(id: string, words: string[]): WebSocket {
    const { protocol, host } = location;
    const scheme = protocol === "https:" ? "wss" : "ws";
    const marks = new URLSearchParams(words.map((word) => ["mark", word]));
    return new WebSocket(`${scheme}://${host}/api/replay/${encodeURIComponent(id)}?${marks}`);
  }

  async search(query: string): Promise<Found> {
    const answer = await (await this.get(`api/search?q=${encodeURIComponent(query)}`)).json();
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  }

  private async get(path: string, method = "GET"): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(path, { method });
    } catch {
      throw new Error("statecrawl view does not answer: is it still running?");
    }
    if (!answer.ok) throw new Error((await answer.text()) || `The server answers ${answer.status}`);
    return answer;
  }
}

/** How files tell what they hold: a script each that calls this. */
type Take = (name: string, content: string) => void;

class Disk implements Source {
  live = null;
  private readonly contents = new Map<string, string>();
  private readonly loading = new Map<string, Promise<string>>();
  private readonly chunk = new Map<string, number>();

  constructor() {
    const take: Take = (name, content) => this.contents.set(name, content);
    Object.defineProperty(window, "statecrawlData", { value: take });
  }

  async crawl(known: number): Promise<[number, CrawlDocument] | null> {
    if (known) return null;
    const crawl = await this.unpacked<CrawlDocument>("crawl");
    const size = Number(document.documentElement.dataset.chunk);
    crawl.states.forEach(([id], number) => this.chunk.set(id, Math.floor(number / size)));
    return [1, crawl];
  }

  async state(id: string): Promise<StateDocument> {
    const states = await this.unpacked<StateDocument[]>(`states-${this.chunk.get(id)}`);
    const found = states.find((state) => state.id === id);
    if (!found) throw new Error("There is no such state in this report.");
    return found;
  }

  picture(id: string): Promise<string> {
    return this.load(`picture-${id}`);
  }

  async thumbnail(id: string): Promise<string> {
    const all = await this.load(`thumbnails-${this.chunk.get(id)}`);
    const line = all.split("\n").find((each) => each.startsWith(`${id} `));
    if (!line) throw new Error("There is no picture of this state.");
    return line.slice(id.length + 1);
  }

  comparison(): Promise<Comparison> {
    return this.unpacked("comparison");
  }

  thumbnailBefore(id: string): Promise<string> {
    return this.load(`before-${id}`);
  }

  merging(): Promise<MergingDocument> {
    return this.unpacked("merging");
  }

  private async unpacked<Thing>(name: string): Promise<Thing> {
    const packed = Uint8Array.from(atob(await this.load(name)), (byte) => byte.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  private load(name: string): Promise<string> {
    let loading = this.loading.get(name);
    if (!loading) {
      loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.onload = () => resolve(this.contents.get(name) ?? "");
        script.onerror = () => reject(new Error(`data/${name}.js is missing beside this page.`));
        script.src = ours.createScriptURL(`data/${encodeURIComponent(name)}.js`) as unknown as string;
        document.head.append(script);
      });
      this.loading.set(name, loading);
    }
    return loading;
  }
}

interface Policy {
  createScriptURL(url: string): unknown;
}

/** The one place where a script may come from, and browsers hold us to it. */
const ours: Policy = (
  window as unknown as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes?.createPolicy("statecrawl", {
  createScriptURL(url) {
    if (!/^data\/[\w-]+\.js$/.test(url)) throw new Error("That is no file of this report.");
    return url;
  },
}) ?? { createScriptURL: (url) => url };

export function openSource(): Source {
  return "chunk" in document.documentElement.dataset ? new Disk() : new Server();
}
