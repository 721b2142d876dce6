import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useMatches } from '@tanstack/react-router';

/** What a customer sees at a public link until public documents exist: no shell, no sign-in. */
export function PublicNotBuiltPage() {
  const { title, notBuilt } = useMatches().at(-1)?.staticData ?? {};
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-center justify-center px-6 text-center">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-2 text-lg text-ink-2">{notBuilt}</p>
      <p className="mt-8 text-sm text-ink-3">{PRODUCT_NAME}</p>
    </main>
  );
}
