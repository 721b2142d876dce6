interface RegisteredForm {
  readonly isDirty: () => boolean;
  /** Asks whether to discard the unsaved changes. Resolves to true if the user agrees. */
  readonly askBeforeSignOut: () => Promise<boolean>;
}

const forms = new Set<RegisteredForm>();

/** Registers the form. Returns a function that unregisters it. */
export function registerForm(form: RegisteredForm): () => void {
  forms.add(form);
  return () => void forms.delete(form);
}

/** Finds the form that asks on behalf of all dirty forms on the page. */
export const findDirtyForm = () => [...forms].find(({ isDirty }) => isDirty());

/** Asks before signing out discards unsaved changes. Resolves to false if the user wants to keep them. */
export async function confirmSignOut(): Promise<boolean> {
  return (await findDirtyForm()?.askBeforeSignOut()) ?? true;
}
