import { randomInt, randomUUID } from 'node:crypto';
import type { NewStaffMember, StaffMember } from '@callout/contract/staff';
import type { Role } from '@callout/domain/roles/roles';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { linkIn, mailTo } from './mailbox.ts';
import { call, confirmEmail, type Person } from './people.ts';
import { product } from './running-product.ts';
import { keepInstallingWorker } from './worker.ts';

export const PASSWORD = 'correct horse battery';

/** Of another person, or of the same one: with a network address of its own, and no page as long as nobody looks at it. */
export async function anotherDevice(browser: Browser): Promise<BrowserContext> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const context = await browser.newContext({ baseURL: product().url, extraHTTPHeaders: { 'x-forwarded-for': address } });
  await keepInstallingWorker(context);
  return context;
}

/** The browser of another person. */
export const anotherBrowser = async (browser: Browser): Promise<Page> => (await anotherDevice(browser)).newPage();

export const someAddress = () => `member-${randomUUID()}@example.com`;

export async function invite(person: Person, fields: Partial<NewStaffMember> = {}): Promise<StaffMember> {
  await confirmEmail(person);
  const { member } = await call<{ member: StaffMember }>(person, 'POST', '/staff', {
    id: randomUUID(),
    name: 'Tama Rewi',
    email: someAddress(),
    phone: '021 555 0199',
    hourly_rate: '45',
    role: 'staff',
    ...fields,
  });
  return member;
}

/** The mailed link, as a path. */
export const invitationLink = async (email: string) => linkIn(await mailTo(email, /^You're invited to join /));

/** Joins with the mailed link; they are signed in as the member afterwards. */
export async function join(person: Person, { email }: Pick<StaffMember, 'email'>): Promise<void> {
  const token = new URL(await invitationLink(email), product().url).searchParams.get('token');
  await call(person, 'POST', '/invitations/accept', { token, password: PASSWORD });
}

/** A member of the owner's company, signed in in a browser of their own. */
export async function colleague(owner: Page, browser: Browser, role: Role, name: string): Promise<Page> {
  const page = await anotherBrowser(browser);
  await join(page, await invite(owner, { role, name }));
  return page;
}
