import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { uploadFile } from './upload-file.ts';

/** A request whose progress the test makes: no browser is at hand here, and no connection this slow. */
class SlowRequest extends EventTarget {
  static last: SlowRequest;
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = '{"done":true}';
  constructor() {
    super();
    SlowRequest.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.end('abort');
  }
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }));
  }
  end(how: 'load' | 'abort') {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event('loadend'));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', SlowRequest);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const photo = new File(['bytes'], 'leak.png');

it('an upload that goes on is waited for, nine minutes and more', async () => {
  const shares: number[] = [];
  const uploading = uploadFile('/files/1', photo, (share) => shares.push(share));
  for (let sent = 1; sent <= 10; sent += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    SlowRequest.last.progress(sent, 10);
  }
  SlowRequest.last.end('load');
  expect(await uploading).toEqual({ done: true });
  expect(shares.at(-1)).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('an upload that stands still is given up', async () => {
  const outcome = uploadFile('/files/1', photo).catch((error: unknown) => error);
  SlowRequest.last.progress(1, 10);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(await outcome).toMatchObject({ name: 'TimeoutError' });
});

it('a cancelled upload ends at once', async () => {
  const cancelling = new AbortController();
  const outcome = uploadFile('/files/1', photo, undefined, cancelling.signal).catch((error: unknown) => error);
  SlowRequest.last.progress(1, 10);
  cancelling.abort();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
