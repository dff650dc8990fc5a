export { clusterNameProblems } from './cluster-rules.ts';
export { karmadaAdmission } from './karmada-admission.ts';
export { recordManaged } from './work-defaults.ts';
