/** Simulated clusters of different clouds and regions, so that policies have something to choose from. */
export const MEMBERS = [
  { name: 'frankfurt', provider: 'aws', region: 'eu-central-1', zone: 'eu-central-1a' },
  { name: 'singapore', provider: 'alibaba', region: 'ap-southeast-1', zone: 'ap-southeast-1b' },
  { name: 'virginia', provider: 'azure', region: 'eastus', zone: 'eastus-2' },
  { name: 'beijing', provider: 'huawei', region: 'cn-north-4', zone: 'cn-north-4a' },
  { name: 'saopaulo', provider: 'gcp', region: 'southamerica-east1', zone: 'southamerica-east1-a' },
  { name: 'tokyo', provider: 'gcp', region: 'asia-northeast1', zone: 'asia-northeast1-b' },
  { name: 'dublin', provider: 'aws', region: 'eu-west-1', zone: 'eu-west-1c' },
  { name: 'shanghai', provider: 'tencent', region: 'ap-shanghai', zone: 'ap-shanghai-2' },
  { name: 'sydney', provider: 'azure', region: 'australiaeast', zone: 'australiaeast-1' },
  { name: 'mumbai', provider: 'aws', region: 'ap-south-1', zone: 'ap-south-1a' },
] as const;

export type Member = (typeof MEMBERS)[number];
/** Each is a process of its own; more than this is no sensible first platform. */
export const MOST_MEMBERS = MEMBERS.length;
