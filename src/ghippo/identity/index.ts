export { ADDRESS_LIMIT, type Attempts, attempts, USER_LIMIT } from './attempts.ts';
export { type Authenticator, authenticator, type ShownCredentials } from './authenticator.ts';
export { cleanupController } from './cleanup-controller.ts';
export { type GroupsService, groupsService } from './groups-service.ts';
export { PASSWORD_COST, PASSWORD_LENGTH, PASSWORD_RULE, type ScryptCost } from './password.ts';
export { type PasswordStore, passwordStore } from './password-store.ts';
export { type Origin, type SignedIn, type SignInService, signInService } from './sign-in-service.ts';
export { type UserInput, type UsersService, usersService } from './users-service.ts';
