import type { Credentials } from '@callout/contract/auth';
import type { Page } from '@playwright/test';
import { signIn } from './company-setup.ts';
import { getMailLink, waitForMail } from './mailbox.ts';
import { getRunningServer } from './running-server.ts';

/** The system administrator of the server under test, an account without a company. */
export const ADMIN_CREDENTIALS: Credentials = { email: 'administrator@example.com', password: 'correct horse battery' };

/** Parallel tests share the account: the first one creates it and sets its password through the emailed link. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  const { url } = getRunningServer();
  const post = (path: string, data: object) => page.request.post(`${url}/api/auth/${path}`, { headers: { origin: url }, data });
  await post('sign-up', ADMIN_CREDENTIALS);
  const link = new URL(getMailLink(await waitForMail(ADMIN_CREDENTIALS.email, /^Set your Callout administrator password/)), url);
  await post('reset-password', { token: link.searchParams.get('token'), password: ADMIN_CREDENTIALS.password });
  await signIn(page, ADMIN_CREDENTIALS);
}
