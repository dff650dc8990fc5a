export { clusterNameProblems } from './cluster-rules.ts';
export { type InterpreterAdmissionDeps, interpreterAdmission } from './interpreter-admission.ts';
export { type KarmadaAdmissionDeps, karmadaAdmission } from './karmada-admission.ts';
export { recordManaged } from './work-defaults.ts';
