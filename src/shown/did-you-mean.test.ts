import { expect, it } from "vitest";
import { closestProject } from "./did-you-mean.ts";

it.each([
  ["acme-shp", "acme-shop"],
  ["Acme_Shop", "acme-shop"],
  ["dev/acme-shpo", "dev/acme-shop"],
  ["/home/dev/acme-shp", "/home/dev/acme-shop"],
  ["blgo", "blog"],
  ["nothing-like-it", null],
])("the project closest to %s is %s", (name, closest) => {
  expect(closestProject(name, ["/home/dev/acme-shop", "/srv/blog"])).toBe(closest);
});
