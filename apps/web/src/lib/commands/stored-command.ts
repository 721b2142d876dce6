/** Commands are the changes that people make. Each is stored before it is sent, and removed once the server has answered. */

/** Why the server refused a command. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Whose command it is. Nobody sends another person's commands, or sends a person's commands to another company. */
export interface CommandOwner {
  readonly person: string;
  readonly company: string;
}

/** The upload of a stored file, which has no place in the contract. Its input is the file. */
export const UPLOAD_CALL = 'files.upload';

/** Names a file whose contents are stored on this device. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface StoredCommand extends CommandOwner {
  /** The idempotency key: the server applies the command once, however often it is sent. */
  readonly id: string;
  /** Path in the contract, such as 'timer.start'. */
  readonly call: string;
  readonly input: unknown;
  /** What the page needs to show the command before it is answered, and to name it. Never sent. */
  readonly details?: unknown;
  /** Files that are kept until this command is answered, even if they have been uploaded: the page shows them, or takes them back. */
  readonly files?: readonly StoredFile[];
  /** Commands of one lane are sent in the order in which they were made. */
  readonly lane: string;
  /** Further lanes whose earlier commands must be answered first, such as that of a new customer for a job. */
  readonly after: readonly string[];
  /** Epoch ms by the device's clock. Only differences to a later time of the same clock are ever sent. */
  readonly madeAt: number;
  readonly refusal?: Refusal;
}

/** A command with its position in the order of all commands of this browser. */
export type QueuedCommand = StoredCommand & { readonly sequence: number };

export const isOwnedBy = ({ person, company }: CommandOwner, owner: CommandOwner) => person === owner.person && company === owner.company;

/** Returns true if the other command was made earlier and must be answered before this one is sent. */
function mustFollow(command: QueuedCommand, other: QueuedCommand): boolean {
  return other.sequence < command.sequence && (other.lane === command.lane || command.after.includes(other.lane));
}

/** Returns the commands that can be sent now, oldest first: nothing that they build on is waiting, on its way or refused. */
export function findSendable(commands: readonly QueuedCommand[]): QueuedCommand[] {
  return commands.filter((command) => !command.refusal && !commands.some((other) => mustFollow(command, other)));
}

/**
 * Returns the command based on the version before the discarded one, which would have raised the version of the same record. With the later
 * version, it could overwrite what someone else has saved instead. Undefined if the command isn't based on the discarded one.
 */
export function rebaseOnEarlier(command: QueuedCommand, discarded: QueuedCommand | undefined): QueuedCommand | undefined {
  const [input, other] = [command.input, discarded?.input] as [RecordInput | undefined, RecordInput | undefined];
  if (input?.id === undefined || input.id !== other?.id || input.version === undefined) return undefined;
  return { ...command, input: { ...input, version: input.version - 1 } };
}

interface RecordInput {
  readonly id?: string;
  readonly version?: number;
}

/** Returns the commands that wait for this one, directly or through others. They were made on the assumption that it succeeds. */
export function findDependents(commands: readonly QueuedCommand[], id: string): QueuedCommand[] {
  const blocked = new Set(commands.filter((command) => command.id === id));
  for (const command of commands) if ([...blocked].some((other) => mustFollow(command, other))) blocked.add(command);
  return [...blocked].filter((command) => command.id !== id);
}
