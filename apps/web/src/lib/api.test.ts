import { afterEach, expect, test, vi } from 'vitest';
import { api } from './api.ts';
import { CallError } from './error-messages.ts';
import { forgetEndedPerson, setRequestPerson } from './request-person.ts';
import { announceSessionEnd, onSessionEnd } from './session-end.ts';

const id = '018f0000-0000-7000-8000-000000000000';

const customer = { type: 'individual', status: 'active', name: 'Mia', email: 'a@b.co', phone: '1', address: 'x' } as const;

/** Answers the next requests and keeps them. */
function respondWith(respond: (request: Request) => Response | Promise<Response>): Request[] {
  const sent: Request[] = [];
  vi.stubGlobal('fetch', (request: Request, init: RequestInit) => {
    sent.push(request);
    const aborted = rejectWhenAborted(init.signal);
    return Promise.race([aborted, respond(request)]);
  });
  return sent;
}

function rejectWhenAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a read has its input in the query, a change its id in the path and the rest in the body', async () => {
  const sent = respondWith(() => Response.json({}));
  await api.customers.list({ search: "O'Neil & Søn +64 %_", sort: 'name', order: 'asc' });
  await api.customers.update({ ...customer, id, version: 3 });
  await api.customers.remove({ id: '../me?x' });
  const [read, change, removal] = sent;
  expect(new URL(read?.url ?? '').pathname).toBe('/api/customers');
  expect(new URL(read?.url ?? '').searchParams.get('search')).toBe("O'Neil & Søn +64 %_");
  expect(change?.method).toBe('PUT');
  expect(new URL(change?.url ?? '').pathname).toBe(`/api/customers/${id}`);
  expect(await change?.json()).toEqual({ ...customer, version: 3 });
  expect(new URL(removal?.url ?? '').pathname).toBe('/api/customers/..%2Fme%3Fx');
  expect(sent.map((request) => request.headers.get('x-callout-client'))).toEqual(['callout-web', 'callout-web', 'callout-web']);
});

test('a refusal becomes an error with its code, text and data', async () => {
  const refusal = { defined: true, code: 'NOT_FOUND', status: 404, message: 'Customer not found', data: { a: 1 } };
  respondWith(() => Response.json(refusal, { status: 404 }));
  const error = await api.customers.get({ id }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, message: 'Customer not found', data: { a: 1 } });
});

test.each([
  ['a page of a proxy with status 200', new Response('<html>', { headers: { 'content-type': 'text/html' } }), 502],
  ['a page of a proxy with status 503', new Response('<html>', { status: 503, headers: { 'content-type': 'text/html' } }), 503],
  ['the JSON of a proxy', Response.json({ error: 'bad gateway' }, { status: 502 }), 502],
])('%s is not taken for an answer of ours', async (_what, response, status) => {
  respondWith(() => response);
  await expect(api.customers.get({ id })).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', status });
});

test('a request that takes longer than 20 seconds is given up', async () => {
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
  respondWith(() => {
    clock.abort(new DOMException('The operation timed out', 'TimeoutError'));
    return new Promise<Response>(() => undefined);
  });
  await expect(api.customers.get({ id })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(timeout).toHaveBeenCalledWith(20_000);
});

test('a request that nobody waits for any more is canceled', async () => {
  const stop = new AbortController();
  respondWith(() => {
    stop.abort();
    return new Promise<Response>(() => undefined);
  });
  await expect(api.customers.get({ id }, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('a session that has ended is announced, also by a proxy; a wrong password is not that', async () => {
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  respondWith(() => new Response('', { status: 401 }));
  await api.customers.get({ id }).catch(() => undefined);
  expect(ends).toEqual(['expired']);
  const wrong = { defined: true, code: 'INVALID_CREDENTIALS', status: 401, message: 'Invalid email or password.' };
  respondWith(() => Response.json(wrong, { status: 401 }));
  await api.auth.signIn({ email: 'mia@example.com', password: 'secret1' }).catch(() => undefined);
  expect(ends).toEqual(['expired']);
  stop();
});

test.each([
  ['what was done', Response.json({})],
  ['why it was not', Response.json({ defined: true, code: 'NOT_FOUND', status: 404, message: 'Customer not found' }, { status: 404 })],
])('a late answer to the person before tells the next one nothing: %s', async (_what, answer) => {
  const late = Promise.withResolvers<Response>();
  respondWith(() => late.promise);
  setRequestPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('replaced');
  setRequestPerson('ben');
  late.resolve(answer);
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  announceSessionEnd('expired');
  forgetEndedPerson();
});

test('a late answer to the person before ends no session of the next one', async () => {
  const late = Promise.withResolvers<Response>();
  respondWith(() => late.promise);
  setRequestPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('expired');
  setRequestPerson('ben');
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  late.resolve(new Response('', { status: 401 }));
  await expect(call).rejects.toMatchObject({ status: 401 });
  expect(ends).toEqual([]);
  stop();
  announceSessionEnd('expired');
  forgetEndedPerson();
});

test('a late answer to the person before is refused as soon as it is asked who is there now', async () => {
  const late = Promise.withResolvers<Response>();
  respondWith(() => late.promise);
  setRequestPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('signed-out');
  forgetEndedPerson();
  late.resolve(Response.json({}));
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test.each([
  ['is refused', Response.json({})],
  ['ends no session', new Response('', { status: 401 })],
])('an answer to what was still sent after the end of a session %s once somebody else is there', async (_what, answer) => {
  const late = Promise.withResolvers<Response>();
  const sent = respondWith(() => late.promise);
  setRequestPerson('ana');
  announceSessionEnd('expired');
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  const call = api.customers.remove({ id });
  await vi.waitFor(() => expect(sent[0]?.headers.get('x-callout-person')).toBe('ana'));
  forgetEndedPerson();
  setRequestPerson('ben');
  late.resolve(answer);
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(ends).toEqual([]);
  stop();
  announceSessionEnd('expired');
  forgetEndedPerson();
});

test('whoever signs in next gets the answer to that, also when it is asked who is there before it has arrived', async () => {
  const late = Promise.withResolvers<Response>();
  respondWith(() => late.promise);
  setRequestPerson('ana');
  announceSessionEnd('signed-out');
  const call = api.auth.signIn({ email: 'ben@example.com', password: 'secret1' });
  forgetEndedPerson();
  late.resolve(Response.json({}));
  await expect(call).resolves.toEqual({});
});
