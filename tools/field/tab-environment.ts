import { readBrowserClock, type SharedClock } from './simulated-clock.ts';

/** What a page finds in a browser and not in Node. Web Locks and channels are Node's own, which connect the threads of this process. */

interface TabEnvironment {
  readonly origin: string;
  /** Number of the browser. Its tabs share locks, channels and a wrong clock. */
  readonly browser: number;
  readonly clock: SharedClock;
  readonly getCookie: () => string;
  readonly isOnline: () => boolean;
}

/** Call before the page's modules are loaded. */
export function installTabEnvironment({ origin, browser, clock, getCookie, isOnline }: TabEnvironment): void {
  const pageEvents = new EventTarget();
  const scopeName = (name: string) => `browser ${browser} ${name}`;
  const locks = navigator.locks;
  const requestLock = async (name: string, options: LockOptions, callback: (lock: Lock | null) => unknown) => {
    // Node crashes when a thread takes a lock from another one. No tab is suspended here, so the leading one is only slow.
    if (options.steal) throw new DOMException('The leading tab keeps the lock', 'AbortError');
    return locks.request(scopeName(name), options, callback);
  };
  const NodeChannel = globalThis.BroadcastChannel;
  const sendRequest = globalThis.fetch;

  Date.now = () => readBrowserClock(clock, browser);
  Object.defineProperties(navigator, {
    onLine: { get: isOnline },
    locks: { value: { request: requestLock } },
  });
  const fetchWithCookie: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('cookie', getCookie());
    return sendRequest(request);
  };
  Object.assign(globalThis, {
    window: globalThis,
    location: { origin },
    document: Object.assign(new EventTarget(), { hidden: false, getElementById: () => null }),
    addEventListener: pageEvents.addEventListener.bind(pageEvents),
    removeEventListener: pageEvents.removeEventListener.bind(pageEvents),
    dispatchEvent: pageEvents.dispatchEvent.bind(pageEvents),
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    BroadcastChannel: class extends NodeChannel {
      constructor(name: string) {
        super(scopeName(name));
      }
    },
    fetch: fetchWithCookie,
    XMLHttpRequest: class extends FetchingRequest {
      protected override readonly origin = origin;
    },
  });
}

/** XMLHttpRequest as far as uploads use it. */
class FetchingRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  protected readonly origin: string = '';
  readonly #canceling = new AbortController();
  readonly #headers = new Headers();
  #method = '';
  #path = '';

  open(method: string, path: string): void {
    this.#method = method;
    this.#path = path;
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  abort(): void {
    this.#canceling.abort();
  }

  send(body: FormData): void {
    void this.#send(body).then((event) => {
      this.dispatchEvent(new Event(event));
      this.dispatchEvent(new Event('loadend'));
    });
  }

  async #send(body: FormData): Promise<'load' | 'error' | 'abort'> {
    const { signal } = this.#canceling;
    try {
      const response = await fetch(`${this.origin}${this.#path}`, { method: this.#method, headers: this.#headers, body, signal });
      this.responseText = await response.text();
      this.status = response.status;
      return 'load';
    } catch {
      return signal.aborted ? 'abort' : 'error';
    }
  }
}
