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
export async function signUpCompany({ server }: App): Promise<SignedInCompany> {
  const post = async (url: string, payload: object, cookie = '') => {
    const reply = await server.inject({ method: 'POST', url, payload, headers: { cookie } });
    if (reply.statusCode >= 300) throw new Error(`${url} returned ${reply.statusCode}: ${reply.body}`);
    return reply;
  };
  await post('/api/auth/sign-up', CREDENTIALS);
  const signedIn = await post('/api/auth/sign-in', CREDENTIALS);
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const onboarded = await post('/api/company/onboarding', PROFILE, cookie);
  const { profile } = onboarded.json<ContractOutputs['company']['completeOnboarding']>();
  if (!profile) throw new Error('The new company has no profile');
  return { companyId: profile.company_id, cookie };
}
