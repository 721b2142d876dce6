import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { ErrorCode } from '@callout/contract/errors';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { QueuedCommand, StoredFile } from './stored-command.ts';

/** Names a call by its path in the contract, such as 'timer.start'. */
export type CallName = {
  [Feature in keyof ContractInputs]: `${Feature}.${Extract<keyof ContractInputs[Feature], string>}`;
}[keyof ContractInputs];

type AtPath<Contract, Name> = Name extends `${infer Feature}.${infer Call}`
  ? Feature extends keyof Contract
    ? Call extends keyof Contract[Feature]
      ? Contract[Feature][Call]
      : never
    : never
  : never;

export type CallInput<Name extends CallName> = AtPath<ContractInputs, Name>;
export type CallOutput<Name extends CallName> = AtPath<ContractOutputs, Name>;

/** What a command does to data on screen before the server has answered. */
export interface Overlay {
  /** Applies to every query whose key starts with this one, or only to the query with this key if `exact`. */
  readonly key: QueryKey;
  readonly exact: boolean;
  readonly apply: (data: never, queryKey: QueryKey) => unknown;
  /** The record that the command creates, under the key of the query that will read it. Until then, there is nothing to read. */
  readonly created?: unknown;
}

/**
 * Builds an overlay. `apply` is called again after each refetch, so it must not change the data that it gets. It should also return data that
 * already contains the change as it is: a refetch can overtake the command's answer.
 */
export const overlay = <Data>(
  key: QueryKey,
  apply: (data: Data, queryKey: QueryKey) => Data,
  { exact = false }: { exact?: boolean } = {},
): Overlay => ({ key, exact, apply });

/** Builds the overlay of a command that creates the record which the query reads. */
export const overlayCreated = (key: QueryKey, created: unknown): Overlay => ({ ...overlay(key, (data) => data), created });

/** When and by whom a command was made. */
export interface CommandOrigin {
  readonly id: string;
  readonly person: string;
  /** ISO instant by the device's clock. */
  readonly madeAt: string;
}

interface CommandTexts<Output, Variables> {
  /** Toast text, or a function that builds it. Undefined shows no toast. */
  readonly success?: string | ((output: Output, variables: Variables) => string | undefined);
  /** Toast text in which '{message}' is replaced with the reason, or a function that builds the text. Undefined shows no toast. */
  readonly failure?: string | ((error: unknown, variables: Variables) => string | undefined);
}

/** A change that works without a connection: it is stored, shown as if it had happened, and sent as soon as possible. */
export interface CommandDefinition<Name extends CallName = CallName, Variables = CallInput<Name>>
  extends CommandTexts<CallOutput<Name>, Variables> {
  readonly call: Name;
  /** Builds the call's input. Needed if the page needs more than the input to show the command. */
  readonly toInput?: (variables: Variables) => CallInput<Name>;
  /** Commands of one lane are sent in order, such as 'job:<id>'. */
  readonly lane: (variables: Variables) => string;
  /** Further lanes whose earlier commands must be answered first. */
  readonly after?: (variables: Variables) => readonly string[];
  /** Stored files that are uploaded first, each by a command of its own. */
  readonly files?: (variables: Variables) => readonly StoredFile[];
  /** True if a refused command always stays among the unsent changes, because what was typed would otherwise be lost. */
  readonly keepsRefused?: boolean;
  /** Names the change on the page of unsent changes, such as 'Start timer on #J26-0012'. */
  readonly describe: (variables: Variables) => string;
  /** Path of the record that the command changes. */
  readonly href?: (variables: Variables) => string;
  readonly overlays?: BuildOverlays<Variables>;
  /** Puts the answer into the cache, in place of the overlays. */
  readonly cacheAnswer?: (queryClient: QueryClient, output: CallOutput<Name>, variables: Variables) => void;
  /** Query keys to refetch afterwards, besides those of the overlays. */
  readonly invalidates?: readonly QueryKey[];
  /** Refusals that count as success, because nothing is left to do, such as NOT_FOUND for a deletion. */
  readonly ignores?: readonly ErrorCode[];
  /**
   * True if each command starts where the previous one of its lane ends, such as the moves of a card. If the page still waits when one is
   * refused, those that follow are taken back with it.
   */
  readonly isChained?: boolean;
  /** Returns false if a chained command was accepted, but those that follow can't start where it ended. */
  readonly endsAsShown?: (output: CallOutput<Name>, variables: Variables) => boolean;
}

type BuildOverlays<Variables> = (variables: Variables, origin: CommandOrigin) => readonly Overlay[];

/** A definition whose types are not known, such as that of a command from an earlier visit. */
export type AnyCommandDefinition = CommandDefinition<never, never>;

const definitions = new Map<string, unknown>();

/** Defines a change. There is one definition for each call, next to the feature's other calls. */
export function defineCommand<Name extends CallName, Variables = CallInput<Name>>(
  definition: CommandDefinition<Name, Variables>,
): CommandDefinition<Name, Variables> {
  definitions.set(definition.call, definition);
  return definition;
}

const addedOverlays = new Map<string, BuildOverlays<never>>();

/** Shows a command in the data of a later feature, such as a job's new status on the board. That feature calls this when it is loaded. */
export function addOverlays<Name extends CallName, Variables>(
  { call }: CommandDefinition<Name, Variables>,
  overlays: BuildOverlays<Variables>,
): void {
  addedOverlays.set(call, overlays);
  overlaysByCommand = new WeakMap();
}

/** Finds the definition of a command. Undefined if its feature has not been loaded, or no longer has the command. */
export const findDefinition = (call: string) => definitions.get(call) as AnyCommandDefinition | undefined;

/** Returns what the command was made with. */
export const getVariables = ({ details, input }: QueuedCommand) => (details === undefined ? input : details) as never;

let overlaysByCommand = new WeakMap<QueuedCommand, readonly Overlay[]>();

export function getOverlays(command: QueuedCommand): readonly Overlay[] {
  const cached = overlaysByCommand.get(command);
  if (cached) return cached;
  const { id, person, madeAt } = command;
  const origin = { id, person, madeAt: new Date(madeAt).toISOString() };
  const definition = findDefinition(command.call);
  const builders = [definition?.overlays, addedOverlays.get(command.call)];
  const overlays = builders.flatMap((build) => build?.(getVariables(command), origin) ?? []);
  // Not cached without a definition, which may still be loading.
  if (definition) overlaysByCommand.set(command, overlays);
  return overlays;
}
