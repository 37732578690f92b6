# SPDX-License-Identifier: Apache-2.0
"""The lab: client, router, two directors and three reals, made from lab/topology.json.

Only `namespaces` knows that the hosts are network namespaces of this machine; everything else goes through `host.Host`.
"""
