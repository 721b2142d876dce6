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
  /** Waits for the next event after those of the last call. */
  next(): Promise<LiveEvent>;
  close(): void;
}

/** The server's URL; the first call makes it listen. */
export async function urlOf({ app }: TestApp): Promise<string> {
  if (!app.server.server.listening) await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Listens like a browser, over a real connection. */
export async function openStream(test: TestApp, cookie: string, query = ''): Promise<EventStream> {
  const abort = new AbortController();
  const answer = await fetch(`${await urlOf(test)}/api/live${query}`, { headers: { cookie }, signal: abort.signal });
  const events: LiveEvent[] = [];
  const state = { ended: false, seen: 0 };
  const reading = readEvents(answer, events).finally(() => {
    state.ended = true;
  });
  onTestFinished(async () => {
    abort.abort();
    await reading.catch(() => undefined);
  });
  reading.catch(() => undefined);
  return {
    status: answer.status,
    events,
    get ended() {
      return state.ended;
    },
    async next() {
      const event = await vi.waitUntil(() => events[state.seen], { timeout: 10_000, interval: 5 });
      state.seen += 1;
      return event;
    },
    close: () => abort.abort(),
  };
}

async function readEvents(answer: Response, events: LiveEvent[]): Promise<void> {
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event && data) events.push({ event, data: JSON.parse(data) });
    }
  }
}
