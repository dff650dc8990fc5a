export { clusterMatches, clusterMismatch } from './cluster-matches.ts';
export { compileSelector, labelsMatch } from './label-match.ts';
export { CLOSENESS, type Closeness, closestMatch, resourceCloseness, resourceMatches } from './resource-matches.ts';
export { isTolerated, taintText, tolerates, untoleratedTaint } from './tolerations.ts';
