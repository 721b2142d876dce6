import { randomInt, randomUUID } from 'node:crypto';
import type { NewStaffMember, StaffMember } from '@callout/contract/staff';
import type { Role } from '@callout/domain/roles/roles';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { type ApiClient, callApi, confirmEmail } from './company-setup.ts';
import { getMailLink, waitForMail } from './mailbox.ts';
import { getRunningServer } from './running-server.ts';
import { stallServiceWorkerInstall } from './service-worker.ts';

export const STAFF_PASSWORD = 'correct horse battery';

/** Creates a browser context with separate cookies and a separate IP address. Use it instead of a page if the test displays nothing. */
export async function createDeviceContext(browser: Browser): Promise<BrowserContext> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const context = await browser.newContext({ baseURL: getRunningServer().url, extraHTTPHeaders: { 'x-forwarded-for': address } });
  await stallServiceWorkerInstall(context);
  return context;
}

/** Opens a page on a new device, for the same user or another one. */
export const createDevicePage = async (browser: Browser): Promise<Page> => (await createDeviceContext(browser)).newPage();

export const createStaffEmail = () => `member-${randomUUID()}@example.com`;

export async function inviteStaffMember(client: ApiClient, fields: Partial<NewStaffMember> = {}): Promise<StaffMember> {
  await confirmEmail(client);
  const { member } = await callApi<{ member: StaffMember }>(client, 'POST', '/staff', {
    id: randomUUID(),
    name: 'Tama Rewi',
    email: createStaffEmail(),
    phone: '021 555 0199',
    hourly_rate: '45',
    role: 'staff',
    ...fields,
  });
  return member;
}

/** Waits for the invitation email and returns the link in it, as a path. */
export const waitForInvitationLink = async (email: string) => getMailLink(await waitForMail(email, /^You're invited to join /));

/** Accepts the emailed invitation, which also signs in the client as the new staff member. */
export async function acceptInvitation(client: ApiClient, { email }: Pick<StaffMember, 'email'>): Promise<void> {
  const token = new URL(await waitForInvitationLink(email), getRunningServer().url).searchParams.get('token');
  await callApi(client, 'POST', '/invitations/accept', { token, password: STAFF_PASSWORD });
}

/** Invites a colleague to the owner's company and returns a page on which the colleague is signed in. */
export async function openColleaguePage(owner: Page, browser: Browser, role: Role, name: string): Promise<Page> {
  const page = await createDevicePage(browser);
  await acceptInvitation(page, await inviteStaffMember(owner, { role, name }));
  return page;
}
