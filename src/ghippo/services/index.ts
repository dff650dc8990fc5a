export { callerIn, type TravellingCaller } from './caller-in.ts';
export { ghippoServices } from './ghippo-services.ts';
export { ghippoApi } from './ghippo-api.ts';
