# SPDX-License-Identifier: BSD-2-Clause
# An address that is used again is not the packet, or the work, that it was before.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"

try net <<'END'
event net:net_dev_queue void * skbaddr, u32 len, text name
event net:net_dev_xmit void * skbaddr, u32 len, int rc, text name
event net:netif_rx void * skbaddr, u32 len, text name
event net:netif_receive_skb void * skbaddr, u32 len, text name
event skb:consume_skb void * skbaddr, void * location
event skb:kfree_skb void * skbaddr, void * location
event skb:skb_copy_datagram_iovec void * skbaddr, int len
# loopback: the packet arrives at once, and is freed later
100 5 0 net_dev_queue 0xaa00 60 lo
103 5 0 netif_rx 0xaa00 60 lo
104 5 0 net_dev_xmit 0xaa00 60 0 lo
109 5 0 netif_receive_skb 0xaa00 60 lo
115 6 1 skb_copy_datagram_iovec 0xaa00 60
900 6 1 consume_skb 0xaa00 0x1
# a pair of virtual devices: no transmission has an end
1000 5 0 net_dev_queue 0xbb00 60 veth0
1003 5 0 netif_rx 0xbb00 60 veth1
1004 5 0 net_dev_xmit 0xbb00 60 0 veth0
1009 5 0 netif_receive_skb 0xbb00 60 veth1
1900 6 1 consume_skb 0xbb00 0x1
# a device that frees the packet before the event: the address is used again, to send and to receive
2000 5 0 net_dev_queue 0xcc00 60 dummy0
2002 5 0 consume_skb 0xcc00 0x1
2003 5 0 net_dev_xmit 0xcc00 60 0 dummy0
2500 5 0 net_dev_queue 0xcc00 70 eth0
2503 5 0 net_dev_xmit 0xcc00 70 0 eth0
2509 0 1 consume_skb 0xcc00 0x1
2600 5 0 net_dev_queue 0xcc00 60 dummy0
2602 5 0 consume_skb 0xcc00 0x1
2603 5 0 net_dev_xmit 0xcc00 60 0 dummy0
2700 0 0 netif_receive_skb 0xcc00 80 eth0
2900 0 0 consume_skb 0xcc00 0x1
# a device on a device: the transmission is that of the lower one
3000 5 0 net_dev_queue 0xdd00 60 bond0
3001 5 0 net_dev_queue 0xdd00 60 eth0
3003 5 0 net_dev_xmit 0xdd00 60 0 eth0
3005 5 0 net_dev_xmit 0xdd00 60 0 bond0
3009 0 1 kfree_skb 0xdd00 0x1
# packets whose release no event reports: an acknowledgement, then one that a program reads
4000 0 0 netif_receive_skb 0xee00 52 lo
4500 5 0 net_dev_queue 0xee00 60 lo
4503 5 0 netif_rx 0xee00 60 lo
4504 5 0 net_dev_xmit 0xee00 60 0 lo
4509 5 0 netif_receive_skb 0xee00 60 lo
4515 6 1 skb_copy_datagram_iovec 0xee00 60
END
try irq <<'END'
event workqueue:workqueue_queue_work void * work, void * function, text workqueue
event workqueue:workqueue_execute_start void * work, void * function
# cancelled after it was queued, then queued again
100 5 0 workqueue_queue_work 0xa200 0xf200 events
900 5 0 workqueue_queue_work 0xa200 0xf200 events
905 9 0 workqueue_execute_start 0xa200 0xf200
END
