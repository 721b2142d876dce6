import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import type { TestApp } from './test-app.ts';

export interface LiveEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface EventStream {
  readonly status: number;
  readonly events: readonly LiveEvent[];
  readonly ended: boolean;
  /** Waits for the next event, starting with the oldest one that `next` hasn't returned yet. */
  next(): Promise<LiveEvent>;
  close(): void;
}

/** Starts listening on a free port, unless the server already listens, and returns the server's URL. */
export async function listenOnLocalhost({ app }: TestApp): Promise<string> {
  if (!app.server.server.listening) await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Opens the live event stream over a real HTTP connection, as a browser does. */
export async function openEventStream(test: TestApp, cookie: string, query = ''): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${await listenOnLocalhost(test)}/api/live${query}`, { headers: { cookie }, signal: abort.signal });
  const events: LiveEvent[] = [];
  const state = { ended: false, returned: 0 };
  const reading = readEvents(response, events).finally(() => {
    state.ended = true;
  });
  onTestFinished(async () => {
    abort.abort();
    await reading.catch(() => undefined);
  });
  reading.catch(() => undefined);
  return {
    status: response.status,
    events,
    get ended() {
      return state.ended;
    },
    async next() {
      const event = await vi.waitUntil(() => events[state.returned], { timeout: 10_000, interval: 5 });
      state.returned += 1;
      return event;
    },
    close: () => abort.abort(),
  };
}

async function readEvents(response: Response, events: LiveEvent[]): Promise<void> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event && data) events.push({ event, data: JSON.parse(data) });
    }
  }
}
