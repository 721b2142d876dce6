import { formatPermissionError, hasCapability, ROLES, type Role } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { FILE_ROUTES } from '../src/platform/http/docs/file-routes.ts';
import { CONTRACT_CALLS, type ContractCall } from './contract-calls.ts';
import { startAppWithAdministrator } from './factories/administrator.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from './factories/people.ts';
import { sendCall } from './send-call.ts';
import { startTestApp, type TestApp } from './test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

type AccessOutcome = 'allowed' | '401 No authenticated user' | `403 ${string}`;

/** Sends an empty input. Access is checked before validation, so a validation error counts as 'allowed'. */
async function tryCall(call: ContractCall, cookie?: string, app = test): Promise<AccessOutcome> {
  const { statusCode, body } = await sendCall(app, call, {}, cookie);
  if (statusCode !== 401 && statusCode !== 403) return 'allowed';
  return `${statusCode} ${(JSON.parse(body) as { message: string }).message}` as AccessOutcome;
}

function getExpectedOutcome(call: ContractCall, caller: 'signed out' | 'no company' | Role): AccessOutcome {
  const { access } = call;
  if (access === 'public') return 'allowed';
  if (caller === 'signed out') return '401 No authenticated user';
  if (access === 'signed-in') return 'allowed';
  if (access === 'system-admin') return '403 You do not have permission to do this';
  return caller !== 'no company' && hasCapability(caller, access) ? 'allowed' : `403 ${formatPermissionError(access)}`;
}

/** Leaves out signing out, which would end the session that the other calls need. */
const CALLS_EXCEPT_SIGN_OUT = CONTRACT_CALLS.filter((call) => call.name !== 'auth.signOut');

describe('the access check', () => {
  it.each(CONTRACT_CALLS)('requires a session for $name unless the call is public', async (call) => {
    expect(await tryCall(call)).toBe(getExpectedOutcome(call, 'signed out'));
  });

  it.each(CONTRACT_CALLS)('treats a forged cookie like no session for $name', async (call) => {
    expect(await tryCall(call, firm.people.admin.cookie.replace(/=.{4}/, '=AAAA'))).toBe(getExpectedOutcome(call, 'signed out'));
  });

  it.each(CALLS_EXCEPT_SIGN_OUT)('allows or rejects $name for a person without a company, as declared in the contract', async (call) => {
    const person = await createPerson(test);
    expect(await tryCall(call, person.cookie)).toBe(getExpectedOutcome(call, 'no company'));
  });

  const callsByRole = ROLES.flatMap((role) => CALLS_EXCEPT_SIGN_OUT.map((call) => ({ ...call, role })));
  it.each(callsByRole)('allows or rejects $name for the role $role, as declared in the contract', async ({ role, ...call }) => {
    // Leaving the company removes the caller's access, so `staff.leave` is called by a staff member that no other test uses.
    const { cookie } = call.name === 'staff.leave' ? await addStaffMember(test, firm.companyId, role) : firm.people[role];
    expect(await tryCall(call, cookie)).toBe(getExpectedOutcome(call, role));
  });
});

describe('the system administrator', () => {
  let administered: Awaited<ReturnType<typeof startAppWithAdministrator>>;

  beforeAll(async () => {
    administered = await startAppWithAdministrator();
  });

  /** `company.start` would make the system administrator an admin of the new company, so leave it out. */
  const callsExceptCompanyStart = CALLS_EXCEPT_SIGN_OUT.filter((call) => call.name !== 'company.start');

  it.each(callsExceptCompanyStart)(
    'has no more access to $name than a person without a company, except to system administration',
    async (call) => {
      const { test: app, administrator } = administered;
      const expected = call.access === 'system-admin' ? 'allowed' : getExpectedOutcome(call, 'no company');
      expect(await tryCall(call, administrator.cookie, app)).toBe(expected);
    },
  );
});

it('only the listed calls are public', () => {
  expect(CONTRACT_CALLS.filter((call) => call.access === 'public').map((call) => call.name)).toEqual([
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

/** Lists every route with its method, such as 'GET /api/health'. */
function listRoutes(): string[] {
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

it('only the listed routes exist outside the contract, and those that serve data require a session', async () => {
  const calls = new Set(CONTRACT_CALLS.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`));
  // Check only routes under /api/. The other routes serve the web app and exist only if it has been built.
  const otherRoutes = listRoutes().filter((route) => route.includes(' /api/') && !route.endsWith('*') && !calls.has(route));
  expect(otherRoutes.toSorted()).toEqual([
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
    'GET /api/payments.csv',
    'GET /api/public/calendar/:token.ics',
    'GET /api/public/invoices/:token/pdf',
    'GET /api/public/quotes/:token/files/:id',
    'GET /api/public/quotes/:token/files/:id/thumbnail',
    'GET /api/public/quotes/:token/pdf',
    'GET /api/quotes/:id/accepted.pdf',
    'GET /api/quotes/:id/pdf',
    'GET /api/ready',
    'PUT /api/company/logo',
    'PUT /api/files/:id',
    'PUT /api/me/avatar',
    'PUT /api/staff/:id/avatar',
  ]);
  const documented = FILE_ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api${path.replace(/\{(\w+)\}/g, ':$1')}`);
  expect(otherRoutes.filter((route) => !/\/api\/(docs|health|ready)/.test(route)).toSorted()).toEqual(documented.toSorted());
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
    ['GET', '/api/payments.csv'],
    ['PUT', '/api/files/018f0000-0000-7000-8000-000000000001'],
    ['PUT', '/api/company/logo'],
    ['PUT', '/api/me/avatar'],
    ['PUT', '/api/staff/018f0000-0000-7000-8000-000000000001/avatar'],
  ] as const) {
    expect((await test.request(method, path)).statusCode).toBe(401);
  }
});
