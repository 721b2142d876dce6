import { can, ROLES, type Role, refusal } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { FILE_ROUTES } from '../src/platform/http/docs/file-routes.ts';
import { type Call, everyCall } from './every-call.ts';
import { startAdministeredApp } from './factories/administrator.ts';
import { createFirm, createPerson, type Firm, hire } from './factories/people.ts';
import { sendCall } from './send-call.ts';
import { startTestApp, type TestApp } from './test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

type Outcome = 'let through' | '401 No authenticated user' | `403 ${string}`;

/** Access is checked before the input: an empty input is only found invalid once the caller was let through. */
async function outcomeOf(call: Call, cookie?: string, on = test): Promise<Outcome> {
  const { statusCode, body } = await sendCall(on, call, {}, cookie);
  if (statusCode !== 401 && statusCode !== 403) return 'let through';
  return `${statusCode} ${(JSON.parse(body) as { message: string }).message}` as Outcome;
}

function expected(call: Call, who: 'nobody' | 'somebody' | Role): Outcome {
  const { access } = call;
  if (access === 'public') return 'let through';
  if (who === 'nobody') return '401 No authenticated user';
  if (access === 'signed-in') return 'let through';
  if (access === 'system-admin') return '403 You do not have permission to do this';
  return who !== 'somebody' && can(who, access) ? 'let through' : `403 ${refusal(access)}`;
}

/** Signing out would end the session that the other calls need. */
const staysSignedIn = everyCall.filter((call) => call.name !== 'auth.signOut');

describe('every call checks the caller:', () => {
  it.each(everyCall)('$name, signed out', async (call) => {
    expect(await outcomeOf(call)).toBe(expected(call, 'nobody'));
  });

  it.each(everyCall)('$name, with a forged cookie', async (call) => {
    expect(await outcomeOf(call, firm.people.admin.cookie.replace(/=.{4}/, '=AAAA'))).toBe(expected(call, 'nobody'));
  });

  it.each(staysSignedIn)('$name, as a person without a company', async (call) => {
    const loner = await createPerson(test);
    expect(await outcomeOf(call, loner.cookie)).toBe(expected(call, 'somebody'));
  });

  it.each(ROLES.flatMap((role) => staysSignedIn.map((call) => ({ ...call, role }))))('$name, as $role', async ({ role, ...call }) => {
    // Whoever leaves is needed no more.
    const { cookie } = call.name === 'staff.leave' ? await hire(test, firm.companyId, role) : firm.people[role];
    expect(await outcomeOf(call, cookie)).toBe(expected(call, role));
  });
});

describe('the administrator', () => {
  let administered: Awaited<ReturnType<typeof startAdministeredApp>>;

  beforeAll(async () => {
    administered = await startAdministeredApp();
  });

  /** Starting a company would make them its admin. */
  const staysWithoutCompany = staysSignedIn.filter((call) => call.name !== 'company.start');

  it.each(staysWithoutCompany)('$name, with no more access to company data than anyone', async (call) => {
    const { test: server, administrator } = administered;
    const outcome = call.access === 'system-admin' ? 'let through' : expected(call, 'somebody');
    expect(await outcomeOf(call, administrator.cookie, server)).toBe(outcome);
  });
});

it('only these calls are public', () => {
  expect(everyCall.filter((call) => call.access === 'public').map((call) => call.name)).toEqual([
    'auth.signUp',
    'auth.signIn',
    'auth.signOut',
    'auth.requestPasswordReset',
    'auth.viewResetLink',
    'auth.resetPassword',
    'auth.undoEmailChange',
    'staff.viewInvitation',
    'staff.acceptInvitation',
    'publicQuotes.get',
    'publicQuotes.recordOpening',
    'publicQuotes.accept',
    'publicQuotes.reject',
    'publicInvoices.get',
    'publicInvoices.recordOpening',
  ]);
});

/** Every full route of the server, such as 'GET /api/health'. */
function everyRoute(): string[] {
  const parents: string[] = [];
  return test.app.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, branch = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \((.*)\))?/.exec(line) ?? [];
      const depth = branch.length / 4 - 1;
      parents.splice(depth, parents.length, part);
      return methods
        .split(', ')
        .flatMap((method) => (method && method !== 'HEAD' ? [`${method} ${parents.slice(0, depth + 1).join('')}`] : []));
    });
}

it('only these routes exist beside the contract, and those with data require a session', async () => {
  const calls = new Set(everyCall.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`));
  // The others are the page's, which may not be built.
  const beside = everyRoute().filter((route) => route.includes(' /api/') && !route.endsWith('*') && !calls.has(route));
  expect(beside.toSorted()).toEqual([
    'GET /api/docs',
    'GET /api/docs/docs.css',
    'GET /api/docs/openapi.json',
    'GET /api/files/:id',
    'GET /api/files/:id/thumbnail',
    'GET /api/health',
    'GET /api/images/:id',
    'GET /api/invoices.csv',
    'GET /api/invoices/:id/pdf',
    'GET /api/jobs/:id/accepted-quote.pdf',
    'GET /api/jobs/:id/invoice.pdf',
    'GET /api/live',
    'GET /api/public/calendar/:token.ics',
    'GET /api/public/invoices/:token/pdf',
    'GET /api/public/quotes/:token/files/:id',
    'GET /api/public/quotes/:token/files/:id/thumbnail',
    'GET /api/public/quotes/:token/pdf',
    'GET /api/quotes/:id/accepted.pdf',
    'GET /api/quotes/:id/pdf',
    'PUT /api/company/logo',
    'PUT /api/files/:id',
    'PUT /api/me/avatar',
    'PUT /api/staff/:id/avatar',
  ]);
  const described = FILE_ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api${path.replace(/\{(\w+)\}/g, ':$1')}`);
  expect(beside.filter((route) => !/\/api\/(docs|health)/.test(route)).toSorted()).toEqual(described.toSorted());
  for (const [method, path] of [
    ['GET', '/api/live'],
    ['GET', '/api/files/018f0000-0000-7000-8000-000000000001'],
    ['GET', '/api/files/018f0000-0000-7000-8000-000000000001/thumbnail'],
    ['GET', '/api/jobs/018f0000-0000-7000-8000-000000000001/accepted-quote.pdf'],
    ['GET', '/api/jobs/018f0000-0000-7000-8000-000000000001/invoice.pdf'],
    ['GET', '/api/invoices/018f0000-0000-7000-8000-000000000001/pdf'],
    ['GET', '/api/quotes/018f0000-0000-7000-8000-000000000001/accepted.pdf'],
    ['GET', '/api/quotes/018f0000-0000-7000-8000-000000000001/pdf'],
    ['GET', '/api/invoices.csv'],
    ['PUT', '/api/files/018f0000-0000-7000-8000-000000000001'],
    ['PUT', '/api/company/logo'],
    ['PUT', '/api/me/avatar'],
    ['PUT', '/api/staff/018f0000-0000-7000-8000-000000000001/avatar'],
  ] as const) {
    expect((await test.request(method, path)).statusCode).toBe(401);
  }
});
