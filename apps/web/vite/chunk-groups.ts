interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly importers: readonly string[];
    readonly dynamicImporters: readonly string[];
  } | null;
}

interface ChunkGroup {
  readonly name: string | ((id: string, graph: ModuleGraph) => string | null);
  readonly debugName?: string;
  readonly test?: (id: string) => boolean;
  readonly minShareCount?: number;
}

const matchPackages =
  (...names: readonly string[]) =>
  (id: string) =>
    names.some((name) => id.includes(`/node_modules/${name}/`));

const isReact = matchPackages('react', 'react-dom', 'scheduler', 'use-sync-external-store');
const isIcon = matchPackages('lucide-react');
const isFormLibrary = matchPackages('react-hook-form');
const isTabsLibrary = matchPackages('@base-ui/react/tabs', '@base-ui/react/accordion');
const isZod = matchPackages('zod');
const isFormOrSchemaLibrary = (id: string) => isFormLibrary(id) || isZod(id);
/** Matches libraries that only some pages need. */
const isOptionalLibrary = (id: string) =>
  isFormOrSchemaLibrary(id) ||
  isTabsLibrary(id) ||
  matchPackages(
    '@base-ui/react/dialog',
    '@base-ui/react/menu',
    '@dnd-kit',
    '@preact/signals-core',
    '@tanstack/react-virtual',
    '@tanstack/virtual-core',
  )(id);

/** Matches libraries that every application page needs, but no public page. */
const isFramework = matchPackages(
  '@base-ui/react/toast',
  '@orpc',
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-store',
  '@tanstack/router-core',
  '@tanstack/store',
  'zustand',
);

/** Not followed, because it imports every icon and would add all of them to every page. Public pages import icons one by one. */
const ICON_INDEX = '/lucide-react.mjs';

/** Returns the modules and everything they import statically, directly or indirectly. */
function collectImports(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || id.endsWith(ICON_INDEX)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** Returns true if every static import chain that leads to this module passes through a module accepted by `isAllowedImporter`. */
function isOnlyImportedBy(isAllowedImporter: (id: string) => boolean, id: string, graph: ModuleGraph): boolean {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const info = graph.getModuleInfo(next);
    if (!info || info.importers.length === 0 || info.dynamicImporters.length > 0) return false;
    queue.push(...info.importers.filter((importer) => !isAllowedImporter(importer)));
  }
  return true;
}

/** Matches parts of the design system and sign-in that only a few pages use. */
const isRarelyUsed = (id: string) =>
  [
    '/ui/color-field.tsx',
    '/ui/image-picker.tsx',
    '/ui/sortable-list.tsx',
    '/auth/confirm-email-page.tsx',
    '/auth/signed-in-devices.tsx',
    '/auth/undo-email-change-page.tsx',
  ].some((path) => id.endsWith(path));
/** Matches the rest of the design system and sign-in. They belong in the entry chunk: they are small, and the first page needs them. */
const isEntryModule = (id: string) => (id.includes('/src/ui/') || id.includes('/src/features/auth/')) && !isRarelyUsed(id);

/** Returns a predicate that matches the modules of these features, including their part of the contract. */
function matchFeatures(...names: readonly string[]): (id: string) => boolean {
  const paths = names.flatMap((name) => [`/web/src/features/${name}/`, `/contract/src/${name}.ts`]);
  return (id) => paths.some((path) => id.includes(path));
}

/** Used by the job page, the time sheet, and the running timer that every page shows. */
const isTimerModule = (id: string) => matchFeatures('timer')(id) || id.endsWith('/domain/src/timer/time-sheet.ts');
/** Used by the calendar and the job form. */
const isCalendarModule = (id: string) => matchFeatures('calendar')(id) || id.includes('/domain/src/calendar/');
/** Used by the staff pages and the settings. Excludes the API module, because many other pages read staff names. */
const isStaffModule = (id: string) => matchFeatures('staff')(id) && !id.endsWith('/staff.api.ts');
const isQuotesModule = matchFeatures('quotes');
/** Used by a job's comments and a quote's files. */
const isCommentsModule = (id: string) =>
  (matchFeatures('comments')(id) && !id.endsWith('.api.ts')) || id.includes('/web/src/lib/attachments/');

/** Used by pages with a filtered list. */
const isListModule = (id: string) => id.endsWith('/lib/list-toolbar.tsx');
/** Used by the pages of a single job, quote or invoice, but not by lists. */
const isDocumentModule = (id: string) => ['/lib/activity-card.tsx', '/lib/priced-lines.tsx'].some((path) => id.endsWith(path));
/** Used by the pages of a single document and by the invoice lists. */
const isInvoiceModule = (id: string) =>
  ['/invoices/invoice-labels.tsx', '/invoices/payment-state.ts', '/domain/src/invoices/'].some((path) => id.includes(path));

/** Loaded once the page is idle, or when the server is unreachable. */
const isOfflineModule = (id: string) =>
  id.endsWith('/app/offline/persisted-queries.ts') || id.endsWith('/app/offline/stored-query.ts') || matchPackages('idb-keyval')(id);

/** Used by the job page and its Add Item page. */
const isJobLinesModule = (id: string) => id.endsWith('/jobs/jobs-items.api.ts');

/** Used by pages that send email. */
const isConfirmEmailModule = (id: string) => id.endsWith('/company/confirm-email-banner.tsx');

/** Used by the customer and supplier pages. */
const isContactDetailsModule = (id: string) => ['/lib/record-details.tsx', '/lib/contact-links.tsx'].some((path) => id.endsWith(path));

const isSharedByFewPages = (id: string) =>
  isListModule(id) ||
  isContactDetailsModule(id) ||
  isConfirmEmailModule(id) ||
  isJobLinesModule(id) ||
  isDocumentModule(id) ||
  isInvoiceModule(id) ||
  isTimerModule(id) ||
  isCalendarModule(id) ||
  isStaffModule(id) ||
  isCommentsModule(id) ||
  isQuotesModule(id);

/** Schemas and forms that only the pages of one record type need. */
const RECORD_FORM_GROUPS = [
  { name: 'account-forms', isMember: matchFeatures('auth', 'company') },
  { name: 'customer-forms', isMember: matchFeatures('customers') },
  { name: 'job-forms', isMember: matchFeatures('jobs') },
  { name: 'quote-forms', isMember: matchFeatures('quotes', 'quote-input') },
  { name: 'staff-forms', isMember: matchFeatures('staff') },
  { name: 'supplier-forms', isMember: (id: string) => matchFeatures('suppliers', 'items')(id) || id.includes('/domain/src/suppliers/') },
];
const isInRecordFormGroup = (id: string) => RECORD_FORM_GROUPS.some(({ isMember }) => isMember(id));

/** Used only by public pages. The other modules of public pages, for money and documents, are shared with the application. */
const isSharedByPublicPages = (id: string) => id.includes('/web/src/public-pages/');
/** An entry must stay in its own page's script. In a shared chunk, the entry would run on every page. */
const isPublicPageEntry = (id: string) => id.endsWith('.html') || id.includes('/public/');

type ModulePredicate = (id: string, graph: ModuleGraph) => boolean;

/** Caches the results. Every group checks every module, and following the same imports again took most of the build time. */
function memoize(predicate: ModulePredicate): ModulePredicate {
  const results = new Map<string, boolean>();
  return (id, graph) => {
    const result = results.get(id) ?? predicate(id, graph);
    results.set(id, result);
    return result;
  };
}

function createImportedByCheck(pages: readonly string[]): ModulePredicate {
  let imports: ReadonlySet<string> | undefined;
  return (id, graph) => (imports ??= collectImports(pages, graph)).has(id);
}

/** Groups the modules that satisfy `predicate` and are imported by at least `minShareCount` entries. */
function createGroup(name: string, predicate: ModulePredicate, minShareCount = 1): ChunkGroup {
  return { debugName: name, name: (id, graph) => (predicate(id, graph) ? name : null), minShareCount };
}

/**
 * Puts code that routes share into a few chunks, so that a page sends few requests and loads no library it doesn't use. All other code
 * stays in its route's chunk. A module goes into the first group that matches, together with its imports.
 */
export function buildChunkGroups(appPage: string, publicPages: readonly string[]): ChunkGroup[] {
  const createNeedsCheck = (isMember: (id: string) => boolean) => memoize((id, graph) => [...collectImports([id], graph)].some(isMember));
  const needsForms = createNeedsCheck(isFormLibrary);
  const needsZod = createNeedsCheck(isZod);
  const needsFormOrSchema = createNeedsCheck(isFormOrSchemaLibrary);
  const needsOptional = createNeedsCheck(isOptionalLibrary);
  const isLightweight: ModulePredicate = (id, graph) => !needsOptional(id, graph);
  const isApp = createImportedByCheck([appPage]);
  const isPublic = createImportedByCheck(publicPages);
  const isFormOnlyModule = memoize((id, graph) => isOnlyImportedBy((importer) => needsForms(importer, graph), id, graph));
  return [
    // Loaded by every page, including public ones.
    createGroup('react', (id, graph) => isReact(id) || (isPublic(id, graph) && (isApp(id, graph) || isEntryModule(id) || isIcon(id)))),
    { name: 'framework', test: isFramework },
    { name: 'tabs', test: isTabsLibrary },
    { name: 'popups', test: matchPackages('@base-ui', '@floating-ui') },
    createGroup('money', (id, graph) => isPublic(id, graph) && !isPublicPageEntry(id) && !isSharedByPublicPages(id)),
    createGroup('public', isSharedByPublicPages),
    createGroup('app', (id, graph) => isApp(id, graph) || (isEntryModule(id) && isLightweight(id, graph))),
    // Loaded by every page that requires sign-in.
    createGroup('shell', (id) => id.endsWith('/routes/_shell.tsx?tsr-split=component')),
    { name: 'offline', test: isOfflineModule },
    createGroup('shared', (id, graph) => isLightweight(id, graph) && !isSharedByFewPages(id) && !isFormOnlyModule(id, graph), 2),
    createGroup('timer', (id, graph) => isLightweight(id, graph) && isTimerModule(id), 2),
    createGroup('calendar-parts', (id, graph) => isLightweight(id, graph) && isCalendarModule(id), 2),
    createGroup('staff', (id, graph) => isLightweight(id, graph) && isStaffModule(id), 2),
    createGroup('comments', (id, graph) => isLightweight(id, graph) && isCommentsModule(id), 2),
    createGroup('confirm-email', (id, graph) => isLightweight(id, graph) && isConfirmEmailModule(id), 2),
    createGroup('job-lines', (id, graph) => isLightweight(id, graph) && isJobLinesModule(id), 2),
    createGroup('lists', (id, graph) => isLightweight(id, graph) && isListModule(id), 2),
    createGroup('documents', (id, graph) => isLightweight(id, graph) && isDocumentModule(id), 2),
    createGroup('contact-details', (id, graph) => isLightweight(id, graph) && isContactDetailsModule(id), 2),
    createGroup('invoice-parts', (id, graph) => isLightweight(id, graph) && isInvoiceModule(id), 2),
    createGroup('quotes', (id, graph) => isLightweight(id, graph) && isQuotesModule(id) && !isFormOnlyModule(id, graph), 2),
    createGroup('schemas', (id, graph) => needsZod(id, graph) && !needsForms(id, graph) && !isInRecordFormGroup(id), 2),
    createGroup('forms', (id, graph) => (needsForms(id, graph) || isFormOnlyModule(id, graph)) && !isInRecordFormGroup(id), 2),
    ...RECORD_FORM_GROUPS.map(({ name, isMember }) =>
      createGroup(name, (id, graph) => isMember(id) && (needsFormOrSchema(id, graph) || isOnlyImportedBy(isMember, id, graph)), 2),
    ),
  ];
}
