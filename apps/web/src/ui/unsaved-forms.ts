import { getOpenOverlayDepth } from './use-close-on-back.ts';

interface RegisteredForm {
  /** Number of overlays that the form is inside of. */
  readonly depth: number;
  readonly isDirty: () => boolean;
  /** Asks whether to discard the unsaved changes. Resolves to true if the user agrees. */
  readonly askToDiscard: (action: DiscardingAction) => Promise<boolean>;
}

export type DiscardingAction = 'sign-out' | 'close';

const forms = new Set<RegisteredForm>();

/** Registers the form. Returns a function that unregisters it. */
export function registerForm(form: RegisteredForm): () => void {
  forms.add(form);
  return () => void forms.delete(form);
}

/** Finds the form that asks on behalf of all dirty forms on the page. */
export const findDirtyForm = () => [...forms].find(({ isDirty }) => isDirty());

/** Finds the form that asks before Back discards unsaved changes. Back closes the topmost overlay, so forms below it stay as they are. */
export function findDirtyFormInTopOverlay() {
  const depth = getOpenOverlayDepth();
  return [...forms].find((form) => form.depth >= depth && form.isDirty());
}

/** Asks before signing out discards unsaved changes. Resolves to false if the user wants to keep them. */
export async function confirmSignOut(): Promise<boolean> {
  return (await findDirtyForm()?.askToDiscard('sign-out')) ?? true;
}

/** Asks before closing the topmost sheet discards unsaved changes. Resolves to false if the user wants to keep them. */
export async function confirmClose(): Promise<boolean> {
  return (await findDirtyFormInTopOverlay()?.askToDiscard('close')) ?? true;
}
