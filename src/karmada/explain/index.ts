export { type Why, type WhyCluster, type WhyRow, type WhyStep, why, whyCluster } from './why.ts';
