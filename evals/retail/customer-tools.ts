import type { Address, User } from "./retail-database.ts";
import type { RetailWorld } from "./retail-world.ts";

/** What can be done to a customer's own record. */
export function createCustomerTools(world: RetailWorld) {
  return {
    modify_user_address({ user_id, ...address }: { user_id: string } & Address): User {
      const user = world.editUser(user_id);
      user.address = address;
      return user;
    },
  };
}
