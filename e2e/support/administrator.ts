import type { Credentials } from '@callout/contract/auth';
import type { Page } from '@playwright/test';
import { signIn } from './people.ts';
import { product } from './running-product.ts';

/** The one account that the product under test names as its administrator. It has no company. */
export const ADMINISTRATOR: Credentials = { email: 'administrator@example.com', password: 'correct horse battery' };

/** Tests side by side share the account: whoever comes first makes it. */
export async function signInAsAdministrator(page: Page): Promise<void> {
  await page.request.post(`${product().url}/api/auth/sign-up`, { headers: { origin: product().url }, data: ADMINISTRATOR });
  await signIn(page, ADMINISTRATOR);
}
