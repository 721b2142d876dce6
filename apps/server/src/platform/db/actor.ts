import type { Role } from '@callout/domain/roles/roles';

/** Who an action runs for: a signed-in person, the holder of a public link, or the server itself. */
export type Actor = Person | LinkHolder | SystemActor;

/** A signed-in person, as read from the database for this request. */
export interface Person {
  readonly kind: 'person';
  readonly userId: string;
  readonly email: string;
  /** True once the person has opened a link sent to `email`. */
  readonly emailVerified: boolean;
  readonly sessionId: string;
  readonly member: Member | null;
}

/** A person's membership in a company. */
export interface Member {
  readonly companyId: string;
  readonly staffId: string;
  readonly role: Role;
}

/** A customer or invitee who opened a public link and needs no login. */
export interface LinkHolder {
  readonly kind: 'link';
  /** The kind of record that the link opens, such as 'quote'. */
  readonly recordKind: string;
  readonly recordId: string;
}

/** The server itself, running a queue task. */
export interface SystemActor {
  readonly kind: 'system';
  readonly task: string;
}

/** Returns the id of the user to store as a record's author, or null if a link holder or the server acts. */
export function getUserId(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.userId : null;
}

/** Returns a text that tells the actors of a company apart, so that they can take turns. All queue tasks are one actor. */
export function getActorKey(actor: Actor): string {
  if (actor.kind === 'person') return actor.userId;
  return actor.kind === 'link' ? `${actor.recordKind} ${actor.recordId}` : 'queue';
}

/** Returns the actor's company membership. Callers have already authorized a member, so a missing membership is a bug and throws. */
export function getMember(actor: Actor): Member {
  const { member } = getPerson(actor);
  if (!member) throw new Error('This person does not belong to a company');
  return member;
}

/** Returns the actor as a person, for records that belong to one person, such as notifications. Throws for any other actor. */
export function getPerson(actor: Actor): Person {
  if (actor.kind !== 'person') throw new Error(`Expected a signed-in person, not a ${actor.kind}`);
  return actor;
}
