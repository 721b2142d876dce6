import type { Role } from '@callout/domain/roles/roles';

/** On whose behalf something happens: a signed-in person, whoever holds a public link, or the server itself. */
export type Actor = Person | LinkHolder | System;

/** A signed-in person, as the database knows them at this moment. */
export interface Person {
  readonly kind: 'person';
  readonly userId: string;
  readonly email: string;
  /** Whether they have opened a link mailed to it. */
  readonly emailVerified: boolean;
  readonly sessionId: string;
  readonly member: Member | null;
}

/** Their membership of a company, if they have one. */
export interface Member {
  readonly companyId: string;
  readonly staffId: string;
  readonly role: Role;
}

/** A customer or an invited person who has a link but no login. */
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

/** The user recorded as author of a record; null for public links and the server. */
export function userIdOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.userId : null;
}

/** The actor as a member of the company. Any other actor is a bug, so this throws. */
export function memberOf(actor: Actor): Member {
  const { member } = personOf(actor);
  if (!member) throw new Error('This person works for no company');
  return member;
}

/** For records that belong to one person, such as notifications. Any other actor is a bug, so this throws. */
export function personOf(actor: Actor): Person {
  if (actor.kind !== 'person') throw new Error(`A ${actor.kind} has no records of their own`);
  return actor;
}
