@"offer.7.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 2, i16 0, i16 0, i16 7, i16 2, i16 1, i16 0, i16 0, i16 0, i16 2, i8 0, i8 1, i8 0, i8 0, i8 0, i8 3, i8 0, i8 1, i8 1, i8 0, ptr addrspace(1) @"accept.init.0.0.0", ptr addrspace(1) @"complete.init.0.0.0" }

@"offer.9.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 1, i16 0, i16 0, i16 9, i16 6, i16 2, i16 0, i16 0, i16 0, i16 0, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr addrspace(1) null, ptr addrspace(1) @"complete.Program.Other.1.1.0" }

@"offer.7.1.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 2, i16 0, i16 0, i16 7, i16 3, i16 2, i16 0, i16 1, i16 0, i16 2, i8 0, i8 1, i8 0, i8 0, i8 1, i8 3, i8 1, i8 0, i8 0, i8 0, ptr addrspace(1) null, ptr addrspace(1) null }

@"offer.8.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 1, i16 0, i16 0, i16 8, i16 5, i16 1, i16 0, i16 0, i16 0, i16 1, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 0, i8 0, ptr addrspace(1) null, ptr addrspace(1) null }

@lf_pool_in_flash = internal addrspace(1) constant [1 x i8] c"\00", align 4

@lf_pool = internal alias i8, addrspacecast (ptr addrspace(1) @lf_pool_in_flash to ptr)

define internal zeroext i1 @"accept.init.0.0.0"(ptr %b, ptr %frame, ptr %values) addrspace(1) nounwind {
entry:
  %entry.a1 = alloca [4 x i8], align 1
  %entry.t1 = getelementptr i8, ptr %b, i32 4
  %entry.t2 = load i8, ptr %values, align 1
  %entry.t3 = sext i8 %entry.t2 to i32
  call addrspace(1) void @llvm.memmove.p0.p0.i32(ptr %entry.a1, ptr %entry.t1, i32 4, i1 false)
  store i32 %entry.t3, ptr %entry.t1, align 1
  %entry.t4 = getelementptr i8, ptr %b, i32 4
  %entry.t5 = load i32, ptr %entry.t4, align 1
  %entry.t6 = icmp sgt i32 %entry.t5, 0
  br label %good.1
good.1:
  br label %tried.1
faulty.1:
  br label %tried.1
tried.1:
  %tried.1.t1 = phi i1 [ %entry.t6, %good.1 ], [ true, %faulty.1 ]
  call addrspace(1) void @llvm.memmove.p0.p0.i32(ptr %entry.t1, ptr %entry.a1, i32 4, i1 false)
  br i1 %tried.1.t1, label %yes.1, label %no.1
yes.1:
  ret i1 true
no.1:
  ret i1 false
}

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) addrspace(1) nounwind {
entry:
  %entry.t1 = getelementptr i8, ptr %b, i32 4
  %entry.t2 = load i8, ptr %values, align 1
  %entry.t3 = sext i8 %entry.t2 to i32
  store i32 %entry.t3, ptr %entry.t1, align 1
  %entry.t4 = getelementptr i8, ptr %b, i32 4
  %entry.t5 = load i32, ptr %entry.t4, align 1
  %entry.t6 = icmp sgt i32 %entry.t5, 0
  ret void
}

define internal void @"complete.Program.Other.1.1.0"(ptr %b, ptr %frame, ptr %values) addrspace(1) nounwind {
entry:
  %entry.t1 = getelementptr i8, ptr %b, i32 4
  %entry.t2 = load i8, ptr %values, align 1
  %entry.t3 = sext i8 %entry.t2 to i32
  store i32 %entry.t3, ptr %entry.t1, align 1
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) addrspace(1) nounwind {
entry:
  %entry.a1 = alloca %lf_meeting, align 1
  switch i16 %position, label %nowhere [ i16 1, label %b.1 i16 2, label %b.3 i16 3, label %b.4 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  store i8 1, ptr %b.1.t1, align 1
  %b.1.t2 = getelementptr i8, ptr %b, i32 9
  store i8 2, ptr %b.1.t2, align 1
  %b.1.t3 = mul i16 0, 1
  %b.1.t4 = getelementptr i8, ptr %b, i32 12
  %b.1.t5 = zext i16 %b.1.t3 to i32
  %b.1.t6 = getelementptr i8, ptr %b.1.t4, i32 %b.1.t5
  call addrspace(1) void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext 0, i8 zeroext 0, i16 zeroext 4)
  %b.1.t7 = add i8 0, 1
  call addrspace(1) void @lf_policy_created(ptr %b, i8 zeroext %b.1.t7, i32 -1)
  %b.1.t8 = getelementptr i8, ptr %b, i32 8
  %b.1.t9 = load i8, ptr %b.1.t8, align 1
  %b.1.t10 = icmp ne i8 %b.1.t9, 0
  br i1 %b.1.t10, label %ok.1, label %bad.1, !prof !0
bad.1:
  call addrspace(1) void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.1:
  %ok.1.t1 = getelementptr i8, ptr %b, i32 9
  %ok.1.t2 = load i8, ptr %ok.1.t1, align 1
  %ok.1.t3 = icmp ne i8 %ok.1.t2, 0
  br i1 %ok.1.t3, label %ok.2, label %bad.2, !prof !0
bad.2:
  call addrspace(1) void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.2:
  %ok.2.t1 = getelementptr i8, ptr %b, i32 4
  %ok.2.t2 = load i32, ptr %ok.2.t1, align 1
  %ok.2.t3 = icmp eq i32 %ok.2.t2, 1
  %ok.2.t4 = xor i1 %ok.2.t3, true
  br i1 %ok.2.t3, label %open.1, label %prepared.1
open.1:
  %open.1.t1 = getelementptr i8, ptr %frame, i32 1
  store i8 2, ptr %open.1.t1, align 1
  br label %prepared.1
prepared.1:
  %prepared.1.t1 = zext i1 %ok.2.t4 to i8
  %prepared.1.t2 = shl i8 %prepared.1.t1, 1
  %prepared.1.t3 = or i8 0, %prepared.1.t2
  store i8 %prepared.1.t3, ptr %frame, align 1
  call addrspace(1) void @lf_meeting_begin(ptr %entry.a1)
  call addrspace(1) void @lf_seek_senders(ptr %b, ptr %entry.a1, i8 zeroext 0, i8 zeroext %b.1.t9, ptr %frame, i8 zeroext 1, ptr addrspace(1) @"accept.init.0.0.0", ptr @"offer.8.0.1")
  br i1 %ok.2.t4, label %sought.1, label %seek.1
seek.1:
  %seek.1.t1 = getelementptr i8, ptr %frame, i32 1
  call addrspace(1) void @lf_seek_receivers(ptr %b, ptr %entry.a1, i8 zeroext 1, i8 zeroext %ok.1.t2, ptr %seek.1.t1, ptr @"offer.9.0.1")
  br label %sought.1
sought.1:
  %sought.1.t1 = call zeroext addrspace(1) i1 @lf_policy_meet(ptr %b, ptr %entry.a1)
  br i1 %sought.1.t1, label %met.1, label %alone.1
met.1:
  %met.1.t1 = getelementptr i8, ptr %entry.a1, i32 2
  %met.1.t2 = load i8, ptr %met.1.t1, align 1
  switch i8 %met.1.t2, label %take.1 [ i8 1, label %take.2 ]
take.1:
  %take.1.t1 = call zeroext addrspace(1) i1 @lf_fetch(ptr %b, ptr %entry.a1, ptr %frame, i8 zeroext 1, ptr addrspace(1) @"complete.init.0.0.0", ptr @"offer.8.0.1")
  br label %moved.1
moved.1:
  call addrspace(1) void @lf_clear(ptr %frame, i16 zeroext 2)
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 2, ptr %moved.1.t3, align 1
  ret i16 -32768
take.2:
  %take.2.t1 = getelementptr i8, ptr %frame, i32 1
  %take.2.t2 = call zeroext addrspace(1) i1 @lf_deliver(ptr %b, ptr %entry.a1, ptr %take.2.t1, ptr @"offer.9.0.1")
  br label %moved.2
moved.2:
  call addrspace(1) void @lf_clear(ptr %frame, i16 zeroext 2)
  %moved.2.t1 = zext i8 %slot to i16
  %moved.2.t2 = zext i16 %moved.2.t1 to i32
  %moved.2.t3 = getelementptr i8, ptr %b, i32 %moved.2.t2
  store i8 3, ptr %moved.2.t3, align 1
  ret i16 -32768
alone.1:
  call addrspace(1) void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 7, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call addrspace(1) void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 2)
  ret i16 -32768
b.3:
  %b.3.t1 = getelementptr i8, ptr %b, i32 4
  store i32 1, ptr %b.3.t1, align 1
  br label %b.2
b.4:
  %b.4.t1 = getelementptr i8, ptr %b, i32 4
  store i32 2, ptr %b.4.t1, align 1
  br label %b.2
}

define internal i16 @"run.Program.Other.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) addrspace(1) nounwind {
entry:
  %entry.a1 = alloca [1 x i8], align 1
  %entry.a2 = alloca %lf_meeting, align 1
  %entry.a3 = alloca %lf_meeting, align 1
  switch i16 %position, label %nowhere [ i16 4, label %b.1 i16 5, label %b.2 i16 6, label %b.3 ]
nowhere:
  unreachable
b.1:
  store i8 1, ptr %entry.a1, align 1
  call addrspace(1) void @lf_meeting_begin(ptr %entry.a2)
  call addrspace(1) void @lf_seek_receivers(ptr %b, ptr %entry.a2, i8 zeroext -1, i8 zeroext 1, ptr %entry.a1, ptr @"offer.7.0.0")
  %b.1.t1 = call zeroext addrspace(1) i1 @lf_policy_meet(ptr %b, ptr %entry.a2)
  br i1 %b.1.t1, label %met.1, label %alone.1
met.1:
  br label %take.1
take.1:
  %take.1.t1 = call zeroext addrspace(1) i1 @lf_deliver(ptr %b, ptr %entry.a2, ptr %entry.a1, ptr @"offer.7.0.0")
  br label %moved.1
moved.1:
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 5, ptr %moved.1.t3, align 1
  ret i16 -32768
alone.1:
  store i8 1, ptr %frame, align 1
  call addrspace(1) void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 8, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  call addrspace(1) void @lf_meeting_begin(ptr %entry.a3)
  call addrspace(1) void @lf_seek_senders(ptr %b, ptr %entry.a3, i8 zeroext -1, i8 zeroext 2, ptr %frame, i8 zeroext 0, ptr addrspace(1) null, ptr @"offer.7.1.0")
  %b.2.t1 = call zeroext addrspace(1) i1 @lf_policy_meet(ptr %b, ptr %entry.a3)
  br i1 %b.2.t1, label %met.2, label %alone.2
met.2:
  br label %take.2
take.2:
  %take.2.t1 = call zeroext addrspace(1) i1 @lf_fetch(ptr %b, ptr %entry.a3, ptr %frame, i8 zeroext 1, ptr addrspace(1) @"complete.Program.Other.1.1.0", ptr @"offer.7.1.0")
  br label %moved.2
moved.2:
  %moved.2.t1 = zext i8 %slot to i16
  %moved.2.t2 = zext i16 %moved.2.t1 to i32
  %moved.2.t3 = getelementptr i8, ptr %b, i32 %moved.2.t2
  store i8 6, ptr %moved.2.t3, align 1
  ret i16 -32768
alone.2:
  call addrspace(1) void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.2.t1 = zext i8 %slot to i16
  %alone.2.t2 = zext i16 %alone.2.t1 to i32
  %alone.2.t3 = getelementptr i8, ptr %b, i32 %alone.2.t2
  store i8 9, ptr %alone.2.t3, align 1
  ret i16 -32768
b.3:
  %b.3.t1 = sub i8 %slot, 1
  call addrspace(1) void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %b.3.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 1)
  ret i16 -32768
}
