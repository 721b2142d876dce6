import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mockUploads } from '../../test/mock-upload.ts';
import { api } from './api.ts';
import { postJson } from './request.ts';
import { getRetryDelayMs, sendUntilAnswered, setMaxRetryTime, shouldReadAgain } from './request-retries.ts';
import { uploadFile } from './upload-file.ts';

const id = '018f0000-0000-7000-8000-000000000000';
const LOST = new TypeError('Failed to fetch');

beforeEach(() => {
  vi.useFakeTimers();
  setMaxRetryTime(15_500);
});
afterEach(() => {
  setMaxRetryTime(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Sends with these outcomes, in order; the last one repeats. Returns how it ended and when each attempt started. */
async function send(outcomes: readonly (number | Error)[], { durationMs = 0, signal }: { durationMs?: number; signal?: AbortSignal } = {}) {
  const [startedAt, attempts]: [number, number[]] = [performance.now(), []];
  const sending = sendUntilAnswered(async () => {
    const outcome = outcomes[Math.min(attempts.length, outcomes.length - 1)] ?? 0;
    attempts.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, durationMs));
    if (outcome instanceof Error) throw outcome;
    return { status: outcome };
  }, signal);
  const ended = sending.then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { ended: await ended, attempts };
}

describe('a command', () => {
  test.each([502, 503, 504, LOST])('is sent again after %s, until it is answered', async (failure) => {
    expect(await send([failure, failure, 200])).toEqual({ ended: 200, attempts: [0, 500, 1_500] });
  });

  test('fails after 15 seconds', async () => {
    const attempts = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500];
    expect(await send([502])).toEqual({ ended: 502, attempts });
    expect(await send([LOST])).toEqual({ ended: LOST, attempts });
  });

  test('is sent fewer times if each attempt is slow', async () => {
    expect(await send([503], { durationMs: 10_000 })).toEqual({ ended: 503, attempts: [0, 10_500] });
  });

  test.each([200, 404, 409, 429, 500, 507, new DOMException('', 'TimeoutError')])('is not sent again after %s', async (outcome) => {
    expect(await send([outcome])).toEqual({ ended: outcome, attempts: [0] });
  });

  test('fails at once while the browser is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(await send([LOST])).toEqual({ ended: LOST, attempts: [0] });
  });

  test('is not sent again after it was canceled', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 600);
    const { ended, attempts } = await send([502], { signal: stop.signal });
    expect([ended, attempts]).toMatchObject([{ name: 'AbortError' }, [0, 500]]);
  });
});

describe('the same body is sent again', () => {
  /** Answers the first request with 502. Returns the bodies it receives. */
  function stubFetch(): string[] {
    const bodies: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      bodies.push(await request.text());
      return bodies.length === 1 ? new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }) : Response.json({});
    });
    return bodies;
  }

  test('by the API client', async () => {
    const bodies = stubFetch();
    const call = api.categories.create({ id, name: 'Drains' });
    await vi.runAllTimersAsync();
    await call;
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { id, name: 'Drains' },
      { id, name: 'Drains' },
    ]);
  });

  test('by public pages', async () => {
    const bodies = stubFetch();
    const call = postJson('/public/quotes/token/reject', { reason: 'Too late' });
    await vi.runAllTimersAsync();
    await call;
    expect(bodies).toEqual(['{"reason":"Too late"}', '{"reason":"Too late"}']);
  });

  test('by uploads', async () => {
    const uploads = mockUploads();
    const upload = uploadFile(`/files/${id}`, new File(['photo'], 'photo.jpg'));
    uploads[0]?.fail();
    await vi.advanceTimersByTimeAsync(500);
    uploads[1]?.respond();
    await upload;
    expect(uploads.map(({ file }) => file?.name)).toEqual(['photo.jpg', 'photo.jpg']);
  });
});

test('a read is repeated six times while nothing can be served, and three times after an unexpected error', () => {
  const countRetries = (status: number) => [0, 1, 2, 3, 4, 5, 6, 7].filter((failures) => shouldReadAgain(failures, status)).length;
  expect([0, 502, 503, 504, 500, 507, 404, 429].map(countRetries)).toEqual([6, 6, 6, 6, 3, 3, 0, 0]);
  expect([0, 1, 2, 3, 4, 5].map(getRetryDelayMs)).toEqual([500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});
