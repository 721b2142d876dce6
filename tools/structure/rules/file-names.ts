import { featurePlace } from '../features.ts';
import type { Rule } from '../rule.ts';

const KEBAB = '[a-z0-9]+(?:-[a-z0-9]+)*';
const HOUSE_NAME = new RegExp(`^${KEBAB}(?:\\.${KEBAB})*\\.(?:ts|tsx|mjs)$`);
const NAMELESS = /^(utils?|helpers?|common|misc|types?|index|shared|constants|data)\./;

/** The router reads its routes from file names: `$id.tsx`, `__root.tsx`, `_layout.tsx`, `index.tsx`. */
const ROUTES = /^apps\/web\/src\/app\/routes\//;

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const namesCarryTheirNoun: Rule = {
  name: 'names-carry-their-noun',
  look: ({ path }) => {
    const name = nameOf(path);
    if (ROUTES.test(path)) return [];
    if (NAMELESS.test(name)) {
      return [{ index: 0, says: `'${name}' says nothing about what is in it: name the file by its noun or its verb` }];
    }
    return HOUSE_NAME.test(name) ? [] : [{ index: 0, says: `'${name}': file names are lower case with hyphens, also for components` }];
  },
};

const IN_FEATURE = {
  server: {
    name: new RegExp(
      `^(?:${KEBAB}\\.(?:handlers|route|sql|table|email|pdf)|${KEBAB}(?:\\.${KEBAB})?\\.test|[a-z]+(?:-[a-z0-9]+)+)\\.tsx?$`,
    ),
    may: '<feature>.handlers.ts, *.route.ts for bytes, <feature>.sql.ts, <feature>.table.ts, one <verb-noun>.ts per use case, *.email.ts, *.pdf.ts and *.test.ts',
  },
  web: {
    name: new RegExp(`^(?:public/)?(?:${KEBAB}\\.api\\.ts|${KEBAB}(?:\\.test)?\\.tsx?)$`),
    may: '<feature>.api.ts (a part that loads on its own: <feature>-<part>.api.ts), kebab-case components and their tests, and public/ for pages without a session',
  },
} as const;

const BASENAME_IS_FEATURE = { server: /\.(handlers|table)\.ts$/, web: /\.api\.ts$/ } as const;

export const featureVocabulary: Rule = {
  name: 'feature-vocabulary',
  look: ({ path }) => {
    const place = featurePlace(path);
    if (!place) return [];
    if (place.rank < 0) {
      return [
        {
          index: 0,
          says: `'${place.feature}' is not in the list of features (tools/structure/features.ts): give it its place in the order`,
        },
      ];
    }
    const { name, may } = IN_FEATURE[place.app];
    if (!name.test(place.inside)) {
      return [{ index: 0, says: `'${place.inside}': a ${place.app} feature holds only ${may}` }];
    }
    const basename = nameOf(place.inside).split('.')[0] ?? '';
    const isOurs = basename === place.feature || (place.app === 'web' && basename.startsWith(`${place.feature}-`));
    return BASENAME_IS_FEATURE[place.app].test(place.inside) && !isOurs
      ? [
          {
            index: 0,
            says: `'${place.inside}': one noun, one basename everywhere; here ${place.feature}, or ${place.feature}-<part> on the page`,
          },
        ]
      : [];
  },
};
