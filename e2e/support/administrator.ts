import type { Credentials } from '@callout/contract/auth';
import type { Page } from '@playwright/test';
import { linkIn, mailTo } from './mailbox.ts';
import { signIn } from './people.ts';
import { product } from './running-product.ts';

/** The one account that the product under test names as its administrator. It has no company. */
export const ADMINISTRATOR: Credentials = { email: 'administrator@example.com', password: 'correct horse battery' };

/** Tests side by side share the account: whoever comes first makes it and sets its password with the link that is mailed to it. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  const { url } = product();
  const post = (path: string, data: object) => page.request.post(`${url}/api/auth/${path}`, { headers: { origin: url }, data });
  await post('sign-up', ADMINISTRATOR);
  const link = new URL(linkIn(await mailTo(ADMINISTRATOR.email, /^Set your administrator password/)), url);
  await post('reset-password', { token: link.searchParams.get('token'), password: ADMINISTRATOR.password });
  await signIn(page, ADMINISTRATOR);
}
