import type { Role } from '@callout/domain/roles/roles';

/** On whose behalf something happens: a signed-in person, whoever holds a public link, or the server itself. */
export type Actor = Person | LinkHolder | System;

/** A signed-in person, as the database knows them at this moment. */
export interface Person {
  readonly kind: 'person';
  readonly userId: string;
  readonly email: string;
  /** They have opened a link that was mailed to it. */
  readonly emailVerified: boolean;
  readonly sessionId: string;
  readonly member: Member | null;
}

/** Their membership of a company: none until they have one. */
export interface Member {
  readonly companyId: string;
  readonly staffId: string;
  readonly role: Role;
}

/** A customer, or somebody invited, who holds a link and has no login here. */
export interface LinkHolder {
  readonly kind: 'link';
  /** What the link opens: one record of one company. */
  readonly recordKind: string;
  readonly recordId: string;
}

/** Work of the queue. */
export interface System {
  readonly kind: 'system';
  readonly task: string;
}

/** Who is recorded as the author of a record: nobody for links and the server. */
export function userIdOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.userId : null;
}

/** For records that belong to one person, such as notifications: asked for by anybody else it is a bug, not an empty answer. */
export function personOf(actor: Actor): Person {
  if (actor.kind !== 'person') throw new Error(`A ${actor.kind} has no records of their own`);
  return actor;
}
