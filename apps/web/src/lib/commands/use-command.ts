import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getErrorMessage } from '../error-messages.ts';
import { invalidateKeys } from '../query-cache.ts';
import type { CallName, CallOutput, CommandDefinition } from './define-command.ts';
import { isOutboxDurable, runCommand, TakenBackError, UNSENT, type Unsent } from './outbox.ts';
import { cacheAcceptedCommand } from './overlays.ts';

const SAVED_MESSAGE = "Saved on this device. It will be sent when you're back online.";
const KEEP_OPEN_MESSAGE = "You're offline. Keep this page open until your change has been sent.";

interface CommandOptions<Output, Variables> {
  /** Called with the server's answer. Not called if the command has to wait: whatever must happen then belongs into its definition. */
  readonly onAnswer?: (output: Output, variables: Variables) => void;
  /** Called if the command is stored and has to wait. */
  readonly onUnsent?: (variables: Variables) => void;
  readonly onRefused?: (error: unknown, variables: Variables) => void;
  /** True for forms, which show invalid fields and version conflicts themselves. */
  readonly inlineErrors?: boolean;
  /** True for a change that the person doesn't need to be told about if it has to wait. */
  readonly isSilent?: boolean;
}

/** Returns a mutation that makes a change with the command. Its data is `UNSENT` if the change waits for a connection. */
export function useCommand<Name extends CallName, Variables>(
  definition: CommandDefinition<Name, Variables>,
  { onAnswer, onUnsent, onRefused, inlineErrors = false, isSilent = false }: CommandOptions<CallOutput<Name>, Variables> = {},
) {
  const queryClient = useQueryClient();
  const { call, success, failure, invalidates = [] } = definition;
  return useMutation<CallOutput<Name> | Unsent, unknown, Variables>({
    mutationKey: [call],
    mutationFn: (variables) => runCommand(definition, variables, (command, output) => cacheAcceptedCommand(queryClient, command, output)),
    onSuccess: (output, variables) => {
      if (output === UNSENT) onUnsent?.(variables);
      else onAnswer?.(output, variables);
    },
    onError: (error, variables) => {
      if (!(error instanceof TakenBackError)) onRefused?.(error, variables);
      // Whatever the refused change was about may have changed.
      invalidateKeys(queryClient, invalidates);
    },
    meta: {
      isCommand: true,
      success: (output: CallOutput<Name> | Unsent, variables: Variables) => {
        if (output === UNSENT && isSilent) return undefined;
        if (output === UNSENT) return isOutboxDurable() ? SAVED_MESSAGE : KEEP_OPEN_MESSAGE;
        return typeof success === 'function' ? success(output, variables) : success;
      },
      failure: (error, variables: Variables) => {
        if (error instanceof TakenBackError) return undefined;
        return typeof failure === 'function' ? failure(error, variables) : failure?.replace('{message}', getErrorMessage(error));
      },
      subject: [success, failure].find((text) => typeof text === 'string') ?? call,
      ...(inlineErrors && { inlineErrors }),
    },
  });
}
