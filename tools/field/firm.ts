import { randomUUID } from 'node:crypto';
import type { FieldServer } from './field-server.ts';
import type { Person } from './tab.ts';

const PASSWORD = 'measured twice';

export interface FirmMember extends Person {
  readonly email: string;
}

export interface Firm {
  /** Mia, who owns the firm; Sam, who has two phones; and Ben, who is dismissed in the afternoon. */
  readonly people: readonly [mia: FirmMember, sam: FirmMember, ben: FirmMember];
  /** Returns a new session cookie, or undefined if the login has been deleted. */
  signIn(person: FirmMember): Promise<string | undefined>;
  endSessions(person: FirmMember): Promise<void>;
  dismiss(person: FirmMember): Promise<void>;
  promote(person: FirmMember): Promise<void>;
}

export async function foundFirm(server: FieldServer): Promise<Firm> {
  const send = async (method: string, path: string, body?: object, cookie = '') => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { cookie, 'x-callout-client': 'callout-web', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return { cookie: cookies.join('; '), json: JSON.parse(text) as never };
  };
  const enter = async (email: string) => (await send('POST', '/auth/sign-in', { email, password: PASSWORD })).cookie;
  const readPerson = async (email: string, name: string): Promise<FirmMember> => {
    const cookie = await enter(email);
    const { user, profile } = (await send('GET', '/me', undefined, cookie)).json as {
      user: { id: string; staff_id: string };
      profile: { company_id: string };
    };
    return { email, name, person: user.id, company: profile.company_id, staffId: user.staff_id };
  };

  await send('POST', '/auth/sign-up', { email: 'mia@example.com', password: PASSWORD });
  const owner = await enter('mia@example.com');
  const profile = { company_name: 'Hart Plumbing', phone: '09 555 0100', gst_number: '123-456-789', gst_percentage: '15', currency: 'NZD' };
  await send('POST', '/company/onboarding', { ...profile, paypal_email: 'mia@example.com' }, owner);
  await server.database.query('update users set email_verified = true');
  const invite = async (name: string): Promise<FirmMember> => {
    const [id, email] = [randomUUID(), `${name.toLowerCase()}@example.com`];
    await send('POST', '/staff', { id, name, email, phone: '021 555 0199', hourly_rate: '45', role: 'staff' }, owner);
    const { url } = (await send('POST', `/staff/${id}/invitation-link`, {}, owner)).json as { url: string };
    const token = new URL(url, server.url).searchParams.get('token');
    await send('POST', '/invitations/accept', { token, password: PASSWORD });
    return readPerson(email, name);
  };
  return {
    people: [await readPerson('mia@example.com', 'Mia'), await invite('Sam'), await invite('Ben')],
    signIn: async ({ email }) => enter(email).catch(() => undefined),
    async endSessions({ person }) {
      await server.database.query('delete from sessions where user_id = $1', [person]);
    },
    async dismiss({ staffId }) {
      await send('DELETE', `/staff/${staffId}`, undefined, await enter('mia@example.com'));
    },
    async promote({ staffId }) {
      const cookie = await enter('mia@example.com');
      const member = (await send('GET', `/staff/${staffId}`, undefined, cookie)).json as Record<string, unknown>;
      const { id, version, name, email, phone, hourly_rate } = member;
      const color_id = (member['color'] as { id: string } | null)?.id ?? null;
      await send('PUT', `/staff/${staffId}`, { id, version, name, email, phone, hourly_rate, color_id, role: 'manager' }, cookie);
    },
  };
}
