import { type Finding, findings, type Rule } from './rule.ts';
import { featureVocabulary, namesCarryTheirNoun } from './rules/file-names.ts';
import { featureOrder, importWalls, packagesByName, platformOrder, tenantsAreMinted } from './rules/import-walls.ts';
import { language } from './rules/language.ts';
import { domainIsPure, environmentInConfig, filesOnOneTable, sqlInSqlFiles, uiKnowsNoBusiness } from './rules/placement.ts';
import { readSource, type SourceFile } from './source-file.ts';

export const RULES: readonly Rule[] = [
  importWalls,
  packagesByName,
  featureOrder,
  platformOrder,
  tenantsAreMinted,
  namesCarryTheirNoun,
  featureVocabulary,
  sqlInSqlFiles,
  environmentInConfig,
  domainIsPure,
  uiKnowsNoBusiness,
  filesOnOneTable,
  ...language,
];

export interface Exception {
  readonly rule: string;
  readonly path: string;
  readonly because: string;
}

/** What breaks a rule without an exception, and the exceptions nothing needs any more: both fail. */
export function structureFindings(files: readonly SourceFile[], exceptions: readonly Exception[]): Finding[] {
  const found = findings(RULES, files.map(readSource));
  const covers = (exception: Exception, finding: Finding) => exception.rule === finding.rule && exception.path === finding.path;
  const spent = exceptions.filter((exception) => !found.some((finding) => covers(exception, finding)));
  return [
    ...found.filter((finding) => !exceptions.some((exception) => covers(exception, finding))),
    ...spent.map(({ rule, path }) => ({
      rule: 'exceptions-only-shrink',
      path: 'tools/structure/exceptions.ts',
      line: 1,
      says: `${path} no longer breaks '${rule}': take its exception out`,
    })),
  ];
}
