import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { uploadFile } from './upload-file.ts';

/** Fake XMLHttpRequest. The test controls its progress. */
class FakeRequest extends EventTarget {
  static last: FakeRequest;
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = '{"done":true}';
  constructor() {
    super();
    FakeRequest.last = this;
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
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const photo = new File(['bytes'], 'leak.png');

it('waits ten minutes for an upload that keeps making progress', async () => {
  const fractions: number[] = [];
  const uploading = uploadFile('/files/1', photo, (fraction) => fractions.push(fraction));
  for (let sent = 1; sent <= 10; sent += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    FakeRequest.last.progress(sent, 10);
  }
  FakeRequest.last.end('load');
  expect(await uploading).toEqual({ done: true });
  expect(fractions.at(-1)).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('times out an upload that stalls', async () => {
  const outcome = uploadFile('/files/1', photo).catch((error: unknown) => error);
  FakeRequest.last.progress(1, 10);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(await outcome).toMatchObject({ name: 'TimeoutError' });
});

it('rejects a canceled upload immediately', async () => {
  const controller = new AbortController();
  const outcome = uploadFile('/files/1', photo, undefined, controller.signal).catch((error: unknown) => error);
  FakeRequest.last.progress(1, 10);
  controller.abort();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
