import type { Credentials } from '@callout/contract/auth';
import type { Page } from '@playwright/test';
import { signIn } from './company-setup.ts';
import { getMailLink, waitForMail } from './mailbox.ts';
import { getRunningServer } from './running-server.ts';

/** The system administrator of the server under test: an account without a company. */
export const ADMINISTRATOR_CREDENTIALS: Credentials = { email: 'administrator@example.com', password: 'correct horse battery' };

/** Signs in to the administrator's account, which parallel tests share. The first test creates it and sets its password. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  const { url } = getRunningServer();
  const post = (path: string, data: object) => page.request.post(`${url}/api/auth/${path}`, { headers: { origin: url }, data });
  await post('sign-up', ADMINISTRATOR_CREDENTIALS);
  const link = new URL(getMailLink(await waitForMail(ADMINISTRATOR_CREDENTIALS.email, /^Set your Callout administrator password/)), url);
  await post('reset-password', { token: link.searchParams.get('token'), password: ADMINISTRATOR_CREDENTIALS.password });
  await signIn(page, ADMINISTRATOR_CREDENTIALS);
}
