interface UnsavedForm {
  /** Asked at the moment of leaving. */
  readonly isDirty: () => boolean;
  /** Shows the question; tells whether what was typed may go. */
  readonly askToSignOut: () => Promise<boolean>;
}

const forms = new Set<UnsavedForm>();

/** Until the returned function is called. */
export function watchForm(form: UnsavedForm): () => void {
  forms.add(form);
  return () => void forms.delete(form);
}

/** Of all forms on the page only this one asks, for all of them. */
export const firstDirtyForm = () => [...forms].find(({ isDirty }) => isDirty());

/** False: somebody wants to keep what they typed, which signing out would discard. */
export async function maySignOut(): Promise<boolean> {
  return (await firstDirtyForm()?.askToSignOut()) ?? true;
}
