/** Magic numbers of statfs(2) on Linux. */
const NETWORK_DISKS: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB2",
  1397113167: "AFS",
  16914839: "9p",
  12805120: "Ceph",
};

/** The name of a network file system. */
export function networkDisk(type: number): string | undefined {
  // The kernel reports a signed number on some machines.
  return NETWORK_DISKS[type >>> 0];
}
