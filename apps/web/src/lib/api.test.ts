import { afterEach, expect, test, vi } from 'vitest';
import { api } from './api.ts';
import { CallError } from './error-messages.ts';
import { clearEndedPerson, setSignedInPerson } from './request-identity.ts';
import { announceSessionEnd, onSessionEnd } from './session-end.ts';

const id = '018f0000-0000-7000-8000-000000000000';

const customer = { type: 'individual', status: 'active', name: 'Mia', email: 'a@b.co', phone: '1', address: 'x' } as const;

/** Stubs fetch with the given response and returns the requests it receives. */
function stubFetch(createResponse: (request: Request) => Response | Promise<Response>): Request[] {
  const sent: Request[] = [];
  vi.stubGlobal('fetch', (request: Request, init: RequestInit) => {
    sent.push(request);
    const aborted = rejectWhenAborted(init.signal);
    return Promise.race([aborted, createResponse(request)]);
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

test("sends a read's input in the query string, and an update's in the path and body", async () => {
  const sent = stubFetch(() => Response.json({}));
  await api.customers.list({ search: "O'Neil & Søn +64 %_", sort: 'name', order: 'asc' });
  await api.customers.update({ ...customer, id, version: 3 });
  await api.customers.remove({ id: '../me?x' });
  const [read, update, removal] = sent;
  expect(new URL(read?.url ?? '').pathname).toBe('/api/customers');
  expect(new URL(read?.url ?? '').searchParams.get('search')).toBe("O'Neil & Søn +64 %_");
  expect(update?.method).toBe('PUT');
  expect(new URL(update?.url ?? '').pathname).toBe(`/api/customers/${id}`);
  expect(await update?.json()).toEqual({ ...customer, version: 3 });
  expect(new URL(removal?.url ?? '').pathname).toBe('/api/customers/..%2Fme%3Fx');
  expect(sent.map((request) => request.headers.get('x-callout-client'))).toEqual(['callout-web', 'callout-web', 'callout-web']);
});

test('throws a CallError with the code, message and data of an error response', async () => {
  const errorBody = { defined: true, code: 'NOT_FOUND', status: 404, message: 'Customer not found', data: { a: 1 } };
  stubFetch(() => Response.json(errorBody, { status: 404 }));
  const error = await api.customers.get({ id }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, message: 'Customer not found', data: { a: 1 } });
});

test.each([
  ['an HTML page from a proxy with status 200', new Response('<html>', { headers: { 'content-type': 'text/html' } }), 502],
  ['an HTML page from a proxy with status 503', new Response('<html>', { status: 503, headers: { 'content-type': 'text/html' } }), 503],
  ['JSON from a proxy', Response.json({ error: 'bad gateway' }, { status: 502 }), 502],
])("rejects %s as unreadable instead of treating it as the server's response", async (_kind, response, status) => {
  stubFetch(() => response);
  await expect(api.customers.get({ id })).rejects.toMatchObject({ code: 'UNREADABLE_RESPONSE', status });
});

test('aborts a request after 20 seconds', async () => {
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
  stubFetch(() => {
    clock.abort(new DOMException('The operation timed out', 'TimeoutError'));
    return new Promise<Response>(() => undefined);
  });
  await expect(api.customers.get({ id })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(timeout).toHaveBeenCalledWith(20_000);
});

test('aborts a request when its signal is aborted', async () => {
  const stop = new AbortController();
  stubFetch(() => {
    stop.abort();
    return new Promise<Response>(() => undefined);
  });
  await expect(api.customers.get({ id }, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('announces the end of the session on a 401, even from a proxy, but not on a wrong password', async () => {
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  stubFetch(() => new Response('', { status: 401 }));
  await api.customers.get({ id }).catch(() => undefined);
  expect(ends).toEqual(['expired']);
  const wrongPassword = { defined: true, code: 'INVALID_CREDENTIALS', status: 401, message: 'Invalid email or password.' };
  stubFetch(() => Response.json(wrongPassword, { status: 401 }));
  await api.auth.signIn({ email: 'mia@example.com', password: 'secret1' }).catch(() => undefined);
  expect(ends).toEqual(['expired']);
  stop();
});

test.each([
  ['a successful response', Response.json({})],
  ['an error response', Response.json({ defined: true, code: 'NOT_FOUND', status: 404, message: 'Customer not found' }, { status: 404 })],
])('does not deliver %s for the previous person to the next person', async (_kind, response) => {
  const late = Promise.withResolvers<Response>();
  stubFetch(() => late.promise);
  setSignedInPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('replaced');
  setSignedInPerson('ben');
  late.resolve(response);
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  announceSessionEnd('expired');
  clearEndedPerson();
});

test("does not end the next person's session on a late 401 response for the previous person", async () => {
  const late = Promise.withResolvers<Response>();
  stubFetch(() => late.promise);
  setSignedInPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('expired');
  setSignedInPerson('ben');
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  late.resolve(new Response('', { status: 401 }));
  await expect(call).rejects.toMatchObject({ status: 401 });
  expect(ends).toEqual([]);
  stop();
  announceSessionEnd('expired');
  clearEndedPerson();
});

test('rejects a late response for the previous person as soon as the page asks who is signed in', async () => {
  const late = Promise.withResolvers<Response>();
  stubFetch(() => late.promise);
  setSignedInPerson('ana');
  const call = api.customers.remove({ id });
  announceSessionEnd('signed-out');
  clearEndedPerson();
  late.resolve(Response.json({}));
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test.each([
  ['a successful response', Response.json({})],
  ['a 401 response', new Response('', { status: 401 })],
])("rejects %s for a request sent after the session ended, without ending the next person's session", async (_kind, response) => {
  const late = Promise.withResolvers<Response>();
  const sent = stubFetch(() => late.promise);
  setSignedInPerson('ana');
  announceSessionEnd('expired');
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  const call = api.customers.remove({ id });
  await vi.waitFor(() => expect(sent[0]?.headers.get('x-callout-person')).toBe('ana'));
  clearEndedPerson();
  setSignedInPerson('ben');
  late.resolve(response);
  await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(ends).toEqual([]);
  stop();
  announceSessionEnd('expired');
  clearEndedPerson();
});

test("delivers the response to the next person's sign-in even if the page asks who is signed in first", async () => {
  const late = Promise.withResolvers<Response>();
  stubFetch(() => late.promise);
  setSignedInPerson('ana');
  announceSessionEnd('signed-out');
  const call = api.auth.signIn({ email: 'ben@example.com', password: 'secret1' });
  clearEndedPerson();
  late.resolve(Response.json({}));
  await expect(call).resolves.toEqual({});
});
