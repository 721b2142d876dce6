import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { App } from '../apps/server/src/app.ts';

export interface SignedInCompany {
  readonly companyId: string;
  readonly cookie: string;
}

const CREDENTIALS: ContractInputs['auth']['signIn'] = { email: 'office@example.com', password: 'measured twice' };
const PROFILE: ContractInputs['company']['completeOnboarding'] = {
  company_name: 'Tane Plumbing',
  phone: '09 555 0100',
  gst_number: '123-456-789',
  gst_percentage: '15',
  paypal_email: 'office@example.com',
  currency: 'NZD',
};

/** Signs up, signs in and creates a company, all through the API. */
export async function signUpCompany(app: App): Promise<SignedInCompany> {
  await post(app, '/api/auth/sign-up', CREDENTIALS);
  const cookie = await signIn(app);
  const onboarded = await post(app, '/api/company/onboarding', PROFILE, cookie);
  const { profile } = onboarded.json<ContractOutputs['company']['completeOnboarding']>();
  if (!profile) throw new Error('The new company has no profile');
  return { companyId: profile.company_id, cookie };
}

/** Signs in to the company of an earlier run and returns the session cookie. */
export async function signIn(app: App): Promise<string> {
  const { cookies } = await post(app, '/api/auth/sign-in', CREDENTIALS);
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
}

async function post({ server }: App, url: string, payload: object, cookie = '') {
  const reply = await server.inject({ method: 'POST', url, payload, headers: { cookie } });
  if (reply.statusCode >= 300) throw new Error(`${url} returned ${reply.statusCode}: ${reply.body}`);
  return reply;
}
